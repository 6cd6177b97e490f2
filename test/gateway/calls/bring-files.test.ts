import * as E from 'fp-ts/lib/Either.js';
import { bringFiles } from '../../../src/server/gateway/calls/bring-files.js';
import { describe, expect, it } from 'vitest';
import type { RouteContext } from '../../../src/server/gateway/v2/context.js';
import { refusal } from '../../../src/server/gateway/v2/refusal.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** Brings the files of these inputs to assets that are numbered, and refuses those of a name. */
const brought = async (inputs: Readonly<Record<string, unknown>>) => {
  const stored: unknown[] = [];
  const store = async (caller: unknown, content: Blob, options: { readonly filePath?: string }) => {
    stored.push([caller, await content.text(), options]);
    return options.filePath === 'bad.png'
      ? E.left(refusal(507, 'full', 'No room.'))
      : E.right({ record: { id: `a${stored.length}` } });
  };
  const call = { request: new Request('http://h/'), caller: { name: 'ann' }, uploadBytes: 9, held: () => 0 };
  const answer = await bringFiles(
    {
      assets: { store } as unknown as RouteContext['assets'],
      ...{ inputs: undefined, clock: virtualClock() },
    },
    call as unknown as RouteCall,
    inputs,
  );
  return { answer, stored };
};
const asset = (id: string) => ({ __type: 'core/ASSET', info: { id } });
const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`in${at}`, new File(['x'], `${at}.png`)]));

describe('the files among the inputs of a call', () => {
  it('are stored for their caller by their names, and referred to in their places; other values stay', async () => {
    const { answer, stored } = await brought({
      ...{ seed: 7, mask: new File(['b'], 'folder/m.png'), text: 'a.png' },
      photo: { base64: Buffer.from('c').toString('base64') },
    });
    expect(answer).toEqual(E.right({ seed: 7, mask: asset('a1'), text: 'a.png', photo: asset('a2') }));
    const options = { contentType: undefined, expectedHash: undefined, expiresInMs: undefined };
    expect(stored).toEqual([
      [{ name: 'ann' }, 'b', { ...options, filePath: 'm.png' }],
      [{ name: 'ann' }, 'c', { ...options, filePath: undefined }],
    ]);
  });

  it('are sixteen at most', async () => {
    expect((await brought(files(16))).answer).toMatchObject({ _tag: 'Right' });
    const { answer, stored } = await brought(files(17));
    expect(answer).toMatchObject({
      left: { status: 422, code: 'invalid_inputs', message: 'A call may bring 16 files.' },
    });
    expect(stored).toHaveLength(16);
  });

  it('are refused as the store refuses one, or where one can’t be read', async () => {
    const refused = await brought({ one: new File(['x'], 'bad.png'), other: new File(['x'], 'b.png') });
    expect([refused.answer, refused.stored.length]).toMatchObject([
      { left: { status: 507, code: 'full' } },
      1,
    ]);
    const broken = await brought({ one: { base64: '*' }, other: new File(['x'], 'b.png') });
    expect([broken.answer, broken.stored]).toMatchObject([{ left: { code: 'invalid_inputs' } }, []]);
  });
});
