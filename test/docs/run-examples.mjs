// Runs programs one after the other in this process, each as if it were alone, and prints what each wrote to stdout and stderr as JSON.
//
// Usage: node run-examples.mjs FOLDER…, each with an example.mjs. A program has ended once nothing keeps the event loop alive.
import { inspect } from 'node:util';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folders = process.argv.slice(2).values();
const outputs = {};
const print = process.stdout.write.bind(process.stdout);
const signals = ['SIGINT', 'SIGTERM'];

/** What a program may change and the next one finds as it was. */
const worldNow = () => {
  const env = { ...process.env };
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const methods = { ...console };
  return {
    restore: () => {
      for (const name of Object.keys(process.env))
        if (!(name in env)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, env);
      for (const name of Object.keys(Object.getOwnPropertyDescriptors(globalThis)))
        if (!(name in globals)) Reflect.deleteProperty(globalThis, name);
      Object.defineProperties(globalThis, globals);
      Object.assign(console, methods);
      for (const signal of signals) process.removeAllListeners(signal);
      process.exitCode = undefined;
    },
  };
};

/** The program that runs. */
let current;

const begin = () => {
  const { value: folder } = folders.next();
  if (folder === undefined) {
    process.off('beforeExit', end);
    print(JSON.stringify(outputs));
    return;
  }
  const written = { stdout: '', stderr: '' };
  current = { folder, written, hasSettled: false, world: worldNow() };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk, ...more) => {
      written[name] += String(chunk);
      more.findLast((one) => typeof one === 'function')?.();
      return true;
    };
  }
  process.chdir(folder);
  const program = current;
  import(pathToFileURL(join(folder, 'example.mjs')).href).then(
    () => (program.hasSettled = true),
    (error) => {
      program.hasSettled = true;
      fail(error);
    },
  );
};

const fail = (error) => (current.written.stderr += `\n${inspect(error)}`);

const end = () => {
  const { folder, written, hasSettled, world } = current;
  if (!hasSettled) fail(new Error('nothing is left to wait for, and the program awaits something'));
  if (process.exitCode !== undefined && process.exitCode !== 0)
    fail(new Error(`exit code ${process.exitCode}`));
  outputs[folder] = written;
  world.restore();
  begin();
};

process.on('uncaughtException', fail);
process.on('beforeExit', end);
begin();
