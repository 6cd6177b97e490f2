import { checkedGateway } from '../gateway/openapi/checked-gateway.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { promisify } from 'node:util';
import { textToImageWorkflow } from '../../src/emulator.js';
import { tmpdir } from 'node:os';

const run = promisify(execFile);

/** A program that another language needs no package for. */
const recipe = join(import.meta.dirname, '..', '..', 'docs', 'recipes', 'run-job.py');

describeWith('Python', findProgram('python3'), (python) => {
  it('runs a job by the standard library, and gets answers as they are described', async () => {
    await using gateway = await checkedGateway();
    const folder = await mkdtemp(join(tmpdir(), 'python-'));
    try {
      const file = join(folder, 'workflow.json');
      await writeFile(file, JSON.stringify(textToImageWorkflow({ steps: 2, width: 64, height: 64 })));
      const env = { ...process.env, PROMPTWIRE_GATEWAY: gateway.address, PROMPTWIRE_TOKEN: gateway.token };
      const { stdout } = await run(python, [recipe, file, join(folder, 'out')], { env });
      expect(stdout).toContain('completed');
      const [picture = ''] = await readdir(join(folder, 'out'));
      expect(PNG.sync.read(await readFile(join(folder, 'out', picture))).width).toBe(64);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(gateway.seen[0]).toBe('POST /api/v2/jobs 201');
    expect(gateway.seen.length).toBeGreaterThanOrEqual(4);
    expect(await gateway.problems()).toEqual([]);
  });
});
