import { describe, expect, it } from 'vitest';
import { png, pngText } from '../workflow/metadata/write-pictures.js';
import { copyWorkflow } from './helpers/workflows.js';
import { join } from 'node:path';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

const small = textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 1 });

describe('N1 a bound of the command', () => {
  it('for recordings is named with its option once it is reached, and the job goes on', async () => {
    const { cli, file, dir } = await workspace();
    const recording = join(dir, 'session.jsonl');
    const run = cli([
      ...['run', await file('small.json', small), '--out', join(dir, 'out'), '--record', recording],
      ...['--record-max-bytes', '2000'],
    ]);
    expect(await run.exit).toBe(0);
    expect(run.stderr()).toContain(
      `the recording ${recording} ended at its bound of 2000 bytes: --record-max-bytes raises it`,
    );
  });

  it('for metadata of pictures is named with its option', async () => {
    const { cli, file } = await workspace();
    const picture = await file('large.png', png([pngText('prompt', JSON.stringify(copyWorkflow))]));
    const bounded = cli(['inspect', picture, '--max-metadata-bytes', '20']);
    expect(await bounded.exit).toBe(2);
    expect(bounded.stderr()).toContain(
      'Its metadata has more than 20 bytes, the bound of maxMetadataBytes. --max-metadata-bytes raises it.',
    );
    expect(await cli(['inspect', picture, '--max-metadata-bytes', '20000']).exit).toBe(0);
  });

  it('N6 for parts of pictures is named with its option', async () => {
    const { cli, file } = await workspace();
    const picture = await file('parts.png', png([pngText('prompt', JSON.stringify(copyWorkflow))]));
    const bounded = cli(['inspect', picture, '--max-parts', '1']);
    expect(await bounded.exit).toBe(2);
    expect(bounded.stderr()).toContain(
      'the bound of maxParts; the search ended there. --max-parts raises it.',
    );
    expect(await cli(['inspect', picture, '--max-parts', '20']).exit).toBe(0);
  });

  it('N6 for messages of a recording is named with its option', async () => {
    const { cli, file } = await workspace();
    const recording = await file(
      'large.jsonl',
      [
        { recording: 'promptwire', version: 1 },
        { ms: 0, direction: 'in', base64: 'AAAAAQAAAAH/2P8=', left: 1000 },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const bounded = cli(['replay', recording, '--max-message-bytes', '1000']);
    expect(await bounded.exit).toBe(2);
    expect(bounded.stderr()).toContain(
      'has a message of 1011 bytes, more than 1000, the bound of maxMessageBytes',
    );
    expect(bounded.stderr()).toContain('--max-message-bytes');
  });

  it('for messages of the socket is named with its option where one is lost', async () => {
    const { cli, file, dir } = await workspace({ dialect: 'local' });
    const noise = {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 9 } },
      '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], strength: 1, seed: 1 } },
      '3': { class_type: 'SaveImageWebsocket', inputs: { images: ['2', 0] } },
    };
    const options = ['--dialect', 'local', '--out', join(dir, 'out'), '--max-message-bytes', '5000'];
    const run = cli(['run', await file('noise.json', noise), ...options]);
    expect(await run.exit).toBe(15);
    expect(run.stderr()).toContain(
      'Connection lost (a message had more than 5000 bytes, the bound of maxMessageBytes). The job goes on; its state is asked for meanwhile. Of the command: maxMessageBytes is --max-message-bytes',
    );
    expect(run.stderr()).toContain('1 of 1 picture of node 3 (SaveImageWebsocket) is not here');
  });

  it('for one node class of types is that of answers, and is named with its option', async () => {
    const { cli, dir } = await workspace();
    const types = ['types', '--output', join(dir, 'nodes.d.ts')];
    const bounded = cli([...types, '--max-answer-bytes', '100']);
    expect(await bounded.exit).toBe(2);
    expect(bounded.stderr()).toContain(
      'one of its members is larger than 100 bytes: --max-answer-bytes or PROMPTWIRE_MAX_ANSWER_BYTES raises that bound',
    );
    expect(await cli(types).exit).toBe(0);
  });
});
