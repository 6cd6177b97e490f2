import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readUploadedFile } from '../../src/core/endpoints/upload.js';

describe('readUploadedFile', () => {
  it('needs a name only', () => {
    expect(readUploadedFile({ name: 'a.png' })).toEqual(
      E.right({ name: 'a.png', subfolder: '', type: 'input' }),
    );
    expect(readUploadedFile({ name: 'a.png', subfolder: 's', type: 'temp', metadata: {} })).toEqual(
      E.right({ name: 'a.png', subfolder: 's', type: 'temp' }),
    );
    expect(readUploadedFile({ name: 'a', subfolder: null, type: 5 })).toEqual(
      E.right({ name: 'a', subfolder: '', type: 'input' }),
    );
  });

  it.each([undefined, null, [], 'a.png', {}, { name: '' }, { name: 5 }])('refuses %j', (json) => {
    expect(E.isLeft(readUploadedFile(json))).toBe(true);
  });
});
