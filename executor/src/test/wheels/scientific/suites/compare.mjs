// Runs files of numpy's and pandas' own tests in Pyrunr and in the same Pyodide under Node, and lists every difference:
//
//   node compare.mjs WHEELS [FILE…]
//
// WHEELS is a folder of wheels, as README.md says. Without files, those of files.txt are run. Needs the built pyrunr.jar.
// --jar and --pyodide name other places of these; --only pyrunr|node runs one of the two and takes the other's outcomes
// from the last run; --report runs none; --seconds is for how long a file's tests may be begun, 240 by default.
// Ends with 1 if there is a difference that differences.txt does not explain.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../../../../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jar: { type: 'string', default: path.join(root, 'jobrunr-dashboard/target/pyrunr.jar') },
    pyodide: { type: 'string', default: path.join(root, 'pyodide-dist/target/npm/node_modules/pyodide') },
    target: { type: 'string', default: path.join(root, 'executor/target/scientific-suites') },
    only: { type: 'string' },
    report: { type: 'boolean' },
    seconds: { type: 'string', default: '240' },
  },
});
const wheels = positionals.shift();
const files = positionals.length ? positionals : lines('files.txt');
const runner = path.join(here, 'run_suite.py');
const OUTCOMES = { '.': 'pass', x: 'xfail', s: 'skip', X: 'xpass', F: 'fail', E: 'error' };
const PRELOAD = 'pytest,hypothesis,numpy,numpy.testing,pandas,pandas._testing';
const seconds = Number(options.seconds);
const timeoutMs = (seconds + 120) * 1000;

function lines(file) {
  return fs.readFileSync(path.join(here, file), 'utf8').split('\n').filter(line => line && !line.startsWith('#'));
}

/** Pyrunr as one process for all files: a function from parameters to a job's output and value. */
function pyrunr() {
  const command = ['-jar', options.jar, 'run', '--jobs', '-', '--wheel-cache', wheels, '--memory', '1g', '--preload', PRELOAD];
  const child = spawn('java', command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const results = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const code = fs.readFileSync(runner, 'utf8');
  return {
    async run(params) {
      child.stdin.write(JSON.stringify({ id: params.file, code, params, timeoutMs }) + '\n');
      const result = JSON.parse((await results.next()).value);
      const end = result.status + (result.error ? `: ${JSON.stringify(result.error).slice(0, 1000)}` : '');
      return { output: result.stdout, value: result.value, end };
    },
    close: () => child.stdin.end(),
  };
}

/** Pyodide under Node, a process per file. */
function node() {
  const command = ['--stack-size=3900', path.join(here, 'node_engine.mjs'), options.pyodide, wheels,
    path.join(options.target, 'site'), runner];
  return {
    run: params => new Promise(resolve => {
      const child = spawn(process.execPath, [...command, JSON.stringify(params)], { timeout: timeoutMs });
      let [output, errors] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', text => (output += text));
      child.stderr.setEncoding('utf8').on('data', text => (errors = (errors + text).slice(-20000)));
      child.on('close', (status, signal) => {
        const value = /\n(\{.*\})\n$/.exec(output)?.[1];
        const why = /^\S*(Error|Maximum)\b.*$/m.exec(errors)?.[0] ?? '';
        resolve({ output, value: value && JSON.parse(value), end: `${signal ?? status} ${why}` });
      });
    }),
    close: () => {},
  };
}

/** Runs a file, again behind every test that the engine does not survive. */
async function runFile(engine, file) {
  const seen = new Map();
  const began = Date.now();
  const result = tests => ({ seconds: Math.round((Date.now() - began) / 1000), tests });
  for (let start = 0; ;) {
    const { output, value, end } = await engine.run({ file, start, seconds });
    if (value) {
      value.seen.forEach(([number, ...what]) => seen.set(number, what));
      const known = [...seen].filter(([number]) => number < value.names.length);
      return result(Object.fromEntries(known.map(([number, what]) => [value.names[number], what])));
    }
    const marks = /^[.xsXFE]*/.exec(output)[0];
    if (!marks || Date.now() - began > 2 * timeoutMs) {
      return result({ [file]: ['lost', end] });
    }
    [...marks].forEach((mark, index) => seen.set(start + index, [OUTCOMES[mark], null]));
    start += marks.length;
    seen.set(start++, ['lost', end]);
  }
}

async function runAll(name, engine) {
  for (const file of files) {
    const result = await runFile(engine, file);
    fs.mkdirSync(path.join(options.target, name), { recursive: true });
    fs.writeFileSync(outcomesOf(name, file), JSON.stringify(result, null, 1));
    console.error(`${name} ${file}: ${count(result.tests)}, ${result.seconds} s`);
  }
  engine.close();
}

function outcomesOf(name, file) {
  return path.join(options.target, name, file.replaceAll('/', '.') + '.json');
}

function count(tests) {
  const counts = {};
  Object.values(tests).forEach(([outcome]) => (counts[outcome] = (counts[outcome] ?? 0) + 1));
  return Object.entries(counts).sort().map(([outcome, number]) => `${number} ${outcome}`).join(', ');
}

function tell([outcome, reason]) {
  return reason ? `${outcome} (${reason})` : outcome;
}

function report() {
  const explained = lines('differences.txt').map(line => line.split(' : '));
  const all = { pyrunr: {}, node: {} };
  let unexplained = 0;
  for (const file of files) {
    const [ours, theirs] = ['pyrunr', 'node'].map(name =>
      fs.existsSync(outcomesOf(name, file)) ? JSON.parse(fs.readFileSync(outcomesOf(name, file), 'utf8')) : null);
    if (!ours || !theirs) {
      console.log(`${file}: not run in both`);
      continue;
    }
    console.log(`${file}\n  pyrunr: ${count(ours.tests)}, ${ours.seconds} s`);
    console.log(`  node:   ${count(theirs.tests)}, ${theirs.seconds} s`);
    const [few, many] = [ours.tests, theirs.tests].sort((a, b) => Object.keys(a).length - Object.keys(b).length);
    const missing = Object.keys(many).filter(name => !(name in few));
    if (missing.length > 20) { // out of time
      console.log(`  ${missing.length} tests were not begun in both`);
      missing.forEach(name => delete many[name]);
    }
    Object.assign(all.pyrunr, ours.tests);
    Object.assign(all.node, theirs.tests);
  }
  for (const name of new Set([...Object.keys(all.pyrunr), ...Object.keys(all.node)])) {
    const [ours, theirs] = [all.pyrunr[name], all.node[name]].map(what => what ?? ['not begun', null]);
    const known = ours[1] !== null && theirs[1] !== null;
    if (ours[0] !== theirs[0] || (known && ours[1] !== theirs[1])) {
      const reason = explained.find(([prefix]) => name.startsWith(prefix))?.[1];
      unexplained += reason ? 0 : 1;
      console.log(`${name}\n  pyrunr: ${tell(ours)}\n  node:   ${tell(theirs)}\n  ${reason ?? 'UNEXPLAINED'}`);
    }
  }
  console.log(`pyrunr: ${count(all.pyrunr)}\nnode:   ${count(all.node)}\n${unexplained} differences without an explanation`);
  return unexplained === 0;
}

if (!options.report) {
  const engines = { pyrunr, node };
  for (const name of options.only ? [options.only] : Object.keys(engines)) {
    await runAll(name, engines[name]());
  }
}
process.exit(report() ? 0 : 1);
