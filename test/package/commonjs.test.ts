import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';

const program = `
  const { createClient } = require('promptwire');
  const { startEmulator, textToImageWorkflow } = require('promptwire/emulator');
  const { lastValueFrom, Observable } = require('rxjs');

  const main = async () => {
    const emulator = await startEmulator({ speed: Infinity });
    const client = createClient(emulator);
    const states = client.run(textToImageWorkflow({ width: 64, height: 64, steps: 2 }));
    console.log(states instanceof Observable, (await lastValueFrom(states)).phase);
    await client.close();
    await emulator.close();
  };
  main();
`;

describe('a CommonJS program', () => {
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('requires the package, shares one RxJS with it and runs a job', async () => {
    const file = await project.write('program.cjs', program);

    const { stdout } = await promisify(execFile)(process.execPath, [file]);

    expect(stdout).toBe('true completed\n');
  });
});
