// Runs a job in Pyodide under Node: node_engine.mjs PYODIDE_FOLDER WHEEL_FOLDER SITE_FOLDER CODE_FILE PARAMS. The last line
// of its output is the job's value. Wheels are unpacked into SITE_FOLDER once, where what Python compiles is kept as well.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, wheels, site, codeFile, params] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const fresh = !fs.existsSync(site);
fs.mkdirSync(site, { recursive: true });
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.mountNodeFS('/site', site);
if (fresh) {
  for (const name of fs.readdirSync(wheels).filter(name => name.endsWith('.whl'))) {
    pyodide.unpackArchive(new Uint8Array(fs.readFileSync(path.join(wheels, name))), 'wheel', { extractDir: '/site' });
  }
}
pyodide.setStdout({ write: bytes => fs.writeSync(1, bytes) });
pyodide.globals.set('_params', params);
pyodide.runPython('import json, sys; sys.path.append("/site"); params = json.loads(_params)');
pyodide.globals.set('_value', pyodide.runPython(fs.readFileSync(codeFile, 'utf8')));
const value = '\n' + pyodide.runPython('json.dumps(_value)') + '\n';
process.stdout.write(value, () => process.exit(0));
