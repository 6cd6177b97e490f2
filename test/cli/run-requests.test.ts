import { describe, expect, it } from 'vitest';
import { workspace } from './helpers/workspace.js';

const loading = {
  '1': { class_type: 'LoadImage', inputs: { image: '' } },
  '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
};

describe('promptwire run with what a submission asks for', () => {
  it.each([
    ['v2', ['--front'], 'takes no --front'],
    ['v2', ['--target', '3'], 'takes no --target'],
    ['local', ['--label', 'a=b'], 'takes no --label'],
    ['cloud', ['--preview-method', 'auto'], 'takes no --preview-method'],
    ['local', ['--target', '9'], 'no node 9'],
    ['local', ['--target', '1'], 'names no output node'],
    ['local', ['--target', '1', '--no-validate', '--allow-paid'], 'names no output node'],
  ] as const)('refuses before it uploads to a server of %s: %s', async (dialect, argv, told) => {
    const { cli, file, asked } = await workspace({ dialect });
    const picture = await file('a.png', 'a picture');
    const path = await file('wf.json', loading);
    const running = cli(['run', path, '--dialect', dialect, ...argv, '--upload', `1.image=${picture}`]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(told);
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([]);
  });
});
