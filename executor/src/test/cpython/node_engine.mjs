// Runs jobs in Pyodide under Node, each in an interpreter of its own: node_engine.mjs PYODIDE_FOLDER SUITE
// EVENT_LOOP_FILE CODE_FILE. Takes parameters as JSON, a line per job; the last line of a job's output is its value.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, suite, loopFile, codeFile] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);

async function run(params) {
  const pyodide = await loadPyodide({ indexURL: folder });
  const sitePackages = pyodide.runPython('import site; site.getsitepackages()[0]');
  pyodide.mountNodeFS('/suite', suite);
  pyodide.runPython('import sys; sys.path.append("/suite")');
  // Pyodide's own loop is JavaScript's, which always runs: nothing of asyncio's suite can start one. So the suite has
  // Pyrunr's loop on both sides, pure Python, and compares what is below it.
  pyodide.FS.writeFile(`${sitePackages}/pyrunr_event_loop.py`, fs.readFileSync(loopFile));
  pyodide.runPython('import asyncio, pyrunr_event_loop; asyncio._set_running_loop(None); pyrunr_event_loop.install()');
  pyodide.globals.set('_params', params);
  pyodide.runPython('import json; params = json.loads(_params)');
  pyodide.globals.set('_value', pyodide.runPython(fs.readFileSync(codeFile, 'utf8')));
  return pyodide.runPython('json.dumps(_value)');
}

for await (const params of readline.createInterface({ input: process.stdin })) {
  fs.writeSync(1, '\n' + (await run(params)) + '\n');
}
