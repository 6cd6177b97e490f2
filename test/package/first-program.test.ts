import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { fencesOf } from '../helpers/fences.js';
import { root } from '../../scripts/entries.mjs';

describe('the first program of a newcomer', () => {
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it.each(['README.md', 'docs/guide/first-steps.md'])(
    'of %s runs as it stands, with nothing but the package and rxjs, and leaves a picture',
    async (page) => {
      const [first] = fencesOf(join(root, page));
      const file = await project.write('first.mjs', first?.code ?? '');

      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
        cwd: project.folder,
      });

      expect(stderr).toBe('');
      expect(stdout).toMatch(/^completed 100 %\nSave .*\.png$/mu);
      expect(readdirSync(join(project.folder, 'outputs')).every((name) => name.endsWith('.png'))).toBe(true);
    },
  );
});
