// The same Pyodide under Node, to compare with. Only 'pyrunr bench' starts it; the product has no use for it.
// Arguments: a folder with node_modules/pyodide, and perhaps one with wheels. A line of JSON in, a line of JSON out:
//   {"code","params","times"} -> {"value","ms":[..]}, each time with a fresh dict as globals
//   {"interpreters":n} -> {"rss":bytes,"loadMs"}, after loading Pyodides up to that number
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

const { loadPyodide } = createRequire(join(process.argv[2], 'package.json'))('pyodide');
const interpreters = [await loadPyodide()];
const python = interpreters[0];
if (process.argv[3]) {
  const wheels = readdirSync(process.argv[3]).filter((name) => name.endsWith('.whl'));
  await python.loadPackage(wheels.map((name) => join(process.argv[3], name)), { messageCallback: () => {} });
}
const newDict = python.globals.get('dict');

function job(code, params) {
  const globals = newDict();
  try {
    if (params !== undefined) {
      const converted = python.toPy(params);
      globals.set('params', converted);
      converted?.destroy?.();
    }
    return python.runPython(code, { globals });
  } finally {
    globals.destroy();
  }
}

function run({ code, params, times }) {
  const ms = [];
  let value;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    value = job(code, params);
    ms.push(performance.now() - start);
  }
  return { value, ms };
}

async function load(count) {
  const start = performance.now();
  const missing = count - interpreters.length;
  for (let i = 0; i < missing; i++) {
    interpreters.push(await loadPyodide());
  }
  const loadMs = missing > 0 ? (performance.now() - start) / missing : 0;
  globalThis.gc?.();
  return { rss: process.memoryUsage().rss, loadMs };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = request.interpreters ? await load(request.interpreters) : run(request);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
process.exit(0);
