// Runs scripts one after the other in Pyodide under Node: node_peer.mjs PYODIDE_FOLDER WHEEL_FOLDER SCRIPT…
// Prints the value of each, a text, and the milliseconds its imports and the rest took, as a line of JSON.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, wheels, ...scripts] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const pyodide = await loadPyodide({ indexURL: folder });
const files = fs.readdirSync(wheels).filter((name) => name.endsWith('.whl')).map((name) => path.join(wheels, name));
await pyodide.loadPackage(files, { messageCallback: () => {}, errorCallback: console.error });
for (const script of scripts) {
  const start = performance.now();
  const value = await pyodide.runPythonAsync(fs.readFileSync(script, 'utf8'));
  fs.writeSync(1, JSON.stringify({ script: path.basename(script), value, ms: performance.now() - start }) + '\n');
}
process.exit(0);
