// Runs modules of CPython's own test suite in Pyrunr and in the same Pyodide under Node, and lists every
// difference:
//
//   node executor/src/test/cpython/compare.mjs SUITE [MODULE…]
//
// SUITE is the folder `test` of a CPython 3.13 (its Lib/test); nothing of it is in this repository. Without
// modules, those of modules.txt are run; with --quick those of quick.txt, which take some minutes. Needs the built pyrunr.jar and the JDK's `java` and `jar`.
// Ends with 1 if there is a difference that differences.txt does not explain. All differences are also written to a
// table, executor/target/cpython-tests/differences.tsv: test, outcome in Pyrunr, in Node, why.
//
// --only pyrunr|node runs one of the two and takes the other's outcomes from the last run; --report runs none.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../../..');
const target = path.join(root, 'executor/target/cpython-tests');
const pyodide = path.join(root, 'pyodide-dist/target/npm/node_modules/pyodide');
const jar = path.join(root, 'jobrunr-dashboard/target/pyrunr.jar');
const runner = path.join(here, 'run_tests.py');
const eventLoop = path.join(root, 'executor/src/main/resources/io/pyrunr/executor/python/_pyrunr/event_loop.py');
const unpacked = path.join(target, 'suite');
const wheel = path.join(target, 'wheels', 'cpython_tests-3.13-py3-none-any.whl');
const OUTCOMES = ['pass', 'xfail', 'skip', 'xpass', 'fail', 'error', 'lost'];
const MODULE_SECONDS = 900;

const args = process.argv.slice(2);
const reportOnly = take('--report');
const quick = take('--quick');
const only = args.includes('--only') ? args.splice(args.indexOf('--only'), 2)[1] : null;
const suite = args.shift();
if (!suite || !fs.existsSync(path.join(suite, 'support', '__init__.py'))) {
  fail(`${suite ?? 'no folder'}: not a suite; give the folder Lib/test of CPython 3.13`);
}
const modules = args.length ? args : lines(quick ? 'quick.txt' : 'modules.txt');

function take(flag) {
  return args.includes(flag) && args.splice(args.indexOf(flag), 1).length > 0;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

function lines(file) {
  return fs.readFileSync(path.join(here, file), 'utf8').split('\n').filter(line => line && !line.startsWith('#'));
}

/** The suite as a wheel for Pyrunr, and as a folder for Node, whose start would take seconds longer with a wheel. */
function packSuite() {
  fs.mkdirSync(path.dirname(wheel), { recursive: true });
  fs.rmSync(unpacked, { recursive: true, force: true });
  const filter = file => path.basename(file) !== '__pycache__';
  fs.cpSync(suite, path.join(unpacked, 'test'), { recursive: true, filter });
  // What tests import of the library that Pyodide leaves out: test_decimal compares the first with the one in C.
  const names = ['_pydecimal.py', 'dbm'].filter(name => fs.existsSync(path.join(suite, '..', name)));
  names.forEach(name => fs.cpSync(path.join(suite, '..', name), path.join(unpacked, name), { recursive: true, filter }));
  const info = writeDistInfo();
  const made = wheel + '.new';
  const packed = spawnSync(
      'jar', ['--create', '--no-manifest', '--file', made, 'test', ...names, info], { cwd: unpacked });
  if (packed.status !== 0) {
    fail(`jar could not pack ${suite}: ${packed.stderr ?? packed.error}`);
  }
  fs.renameSync(made, wheel);
}

/** What makes a wheel of the folder: metadata, and a record with the hash of every file. */
function writeDistInfo() {
  const info = 'cpython_tests-3.13.dist-info';
  const write = (name, text) => fs.writeFileSync(path.join(unpacked, info, name), text);
  fs.mkdirSync(path.join(unpacked, info));
  write('METADATA', 'Metadata-Version: 2.1\nName: cpython-tests\nVersion: 3.13\n');
  write('WHEEL', 'Wheel-Version: 1.0\nGenerator: compare.mjs\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
  const record = fs.readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name))
    .map(file => {
      const bytes = fs.readFileSync(file);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      return `"${path.relative(unpacked, file).replaceAll('"', '""')}",sha256=${hash},${bytes.length}\n`;
    });
  write('RECORD', record.join('') + `${info}/RECORD,,\n`);
  return info;
}

/** Pyrunr as one process for all modules: a function from parameters to a module's output and value. */
function pyrunr() {
  const command = ['-jar', jar, 'run', '--jobs', '-', '--wheel-cache', path.dirname(wheel), '--memory', '1g'];
  const process = spawn('java', command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const results = readline.createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const code = fs.readFileSync(runner, 'utf8');
  return {
    async run(params) {
      process.stdin.write(
          JSON.stringify({ id: params.module, code, params, timeoutMs: MODULE_SECONDS * 1000 }) + '\n');
      const result = JSON.parse((await results.next()).value);
      return { output: result.stdout, value: result.value, end: result.error?.message ?? result.status };
    },
    close: () => process.stdin.end(),
  };
}

/** Pyodide under Node: an interpreter per module, and a new process when one has died. */
function node() {
  const command = ['--stack-size=3900', path.join(here, 'node_engine.mjs'), pyodide, unpacked, eventLoop, runner];
  let engine = null;
  return {
    async run(params) {
      engine ??= spawn(process.execPath, command);
      const child = engine;
      let errors = '';
      child.stderr.on('data', text => (errors += text));
      const timer = setTimeout(() => child.kill('SIGKILL'), MODULE_SECONDS * 1000);
      child.stdin.write(JSON.stringify(params) + '\n');
      const { output, value } = await jobOutput(child);
      clearTimeout(timer);
      child.stderr.removeAllListeners('data');
      if (value) {
        return { output, value };
      }
      engine = null;
      const why = /^\S*(Error|RuntimeError|Maximum)\b.*$/m.exec(errors)?.[0];
      return { output, end: why ?? `signal ${child.signalCode}, status ${child.exitCode}` };
    },
    close: () => engine?.stdin.end(),
  };
}

/** What a process prints up to a job's value, or to its own end. */
function jobOutput(child) {
  return new Promise(resolve => {
    let output = '';
    const settle = value => {
      child.stdout.removeListener('data', read);
      child.removeListener('close', end);
      resolve({ output, value });
    };
    const end = () => settle(null);
    const read = text => {
      output += text;
      const value = /\n(\{.*\})\n$/.exec(output);
      if (value) {
        settle(JSON.parse(value[1]));
      }
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.on('close', end);
  });
}

/** Runs a module, again behind every test that the engine does not survive. */
async function runModule(engine, module) {
  const seen = new Map();
  const began = Date.now();
  for (let start = 0; ;) {
    const { output, value, end } = await engine.run({ module, start });
    if (value) {
      value.seen.forEach(([number, what]) => seen.set(number, what));
      const tests = {};
      for (const [number, what] of [...seen].sort(([a], [b]) => a - b)) {
        let name = value.names[number];
        while (name in tests) {
          name += "'";
        }
        tests[name] = what;
      }
      return { seconds: (Date.now() - began) / 1000, tests };
    }
    let running = -1;
    for (const [, number, outcome] of output.matchAll(/^(\d+) (\w+)$/gm)) {
      if (outcome === 'start') {
        running = Number(number);
      } else {
        seen.set(Number(number), [[outcome, '']]);
      }
    }
    if (running < start) {
      return { seconds: (Date.now() - began) / 1000, tests: { [module]: [['lost', end]] } };
    }
    seen.set(running, [['lost', end]]);
    start = running + 1;
  }
}

async function runAll(name, engine) {
  const folder = path.join(target, name);
  fs.mkdirSync(folder, { recursive: true });
  for (const module of modules) {
    const result = await runModule(engine, module);
    fs.writeFileSync(path.join(folder, module + '.json'), JSON.stringify(result, null, 1));
    console.error(`${name} ${module}: ${Object.keys(result.tests).length} tests, ${result.seconds.toFixed(0)} s`);
  }
  engine.close();
}

function worst(seen) {
  return seen.map(([outcome]) => outcome).sort((a, b) => OUTCOMES.indexOf(b) - OUTCOMES.indexOf(a))[0];
}

/** Of what ran before an engine died, only outcomes are known. */
function same(ours, theirs) {
  const known = seen => seen?.every(([outcome, reason]) => reason || outcome === 'pass' || outcome === 'xfail');
  return known(ours) && known(theirs)
    ? JSON.stringify(ours) === JSON.stringify(theirs)
    : ours && theirs && worst(ours) === worst(theirs);
}

function tell(seen) {
  return seen ? seen.map(([outcome, reason]) => (reason ? `${outcome} (${reason})` : outcome)).join('; ') : 'absent';
}

function report() {
  const explained = lines('differences.txt').map(line => line.split(/\s*: /));
  const reasonFor = name => explained.find(([prefix]) => name === prefix || name.startsWith(prefix + '.'))?.[1];
  const totals = { pyrunr: {}, node: {} };
  const table = [];
  let unexplained = 0;
  for (const module of modules) {
    const [ours, theirs] = ['pyrunr', 'node'].map(engine => {
      const file = path.join(target, engine, module + '.json');
      return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).tests : null;
    });
    if (!ours || !theirs) {
      console.log(`${module}: not run in both`);
      unexplained += 1;
      continue;
    }
    for (const [engine, tests] of [['pyrunr', ours], ['node', theirs]]) {
      for (const seen of Object.values(tests)) {
        totals[engine][worst(seen)] = (totals[engine][worst(seen)] ?? 0) + 1;
      }
    }
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      if (same(ours[name], theirs[name])) {
        continue;
      }
      const reason = reasonFor(name);
      unexplained += reason ? 0 : 1;
      console.log(`${name}\n  pyrunr: ${tell(ours[name])}\n  node:   ${tell(theirs[name])}`);
      console.log(`  ${reason ?? 'UNEXPLAINED'}`);
      table.push([name, tell(ours[name]), tell(theirs[name]), reason ?? ''].map(text => text.replace(/\s+/g, ' ')).join('\t'));
    }
  }
  fs.writeFileSync(path.join(target, 'differences.tsv'), ['test\tpyrunr\tnode\twhy', ...table.sort(), ''].join('\n'));
  console.log(`\n${modules.length} modules`);
  for (const [engine, counts] of Object.entries(totals)) {
    console.log(`${engine}: ${OUTCOMES.filter(o => counts[o]).map(o => `${counts[o]} ${o}`).join(', ')}`);
  }
  console.log(`${unexplained} differences without an explanation`);
  return unexplained === 0;
}

if (!reportOnly) {
  packSuite();
  const engines = { pyrunr, node };
  await Promise.all((only ? [only] : Object.keys(engines)).map(name => runAll(name, engines[name]())));
}
process.exit(report() ? 0 : 1);
