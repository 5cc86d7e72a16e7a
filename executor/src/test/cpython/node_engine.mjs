// Runs one job in Pyodide under Node: node_engine.mjs PYODIDE_FOLDER WHEEL CODE_FILE PARAMS_JSON
// The last line of its output is the job's value.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, wheel, codeFile, params] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const pyodide = await loadPyodide({ indexURL: folder });
const sitePackages = pyodide.runPython('import site; site.getsitepackages()[0]');
pyodide.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), 'wheel', { extractDir: sitePackages });
pyodide.globals.set('_params', params);
pyodide.runPython('import json; params = json.loads(_params)');
const value = pyodide.runPython(fs.readFileSync(codeFile, 'utf8'));
pyodide.globals.set('_value', value);
fs.writeSync(1, '\n' + pyodide.runPython('json.dumps(_value)') + '\n');
process.exit(0);
