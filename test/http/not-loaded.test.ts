import { expect, it } from 'vitest';
import { notLoaded } from '../../src/core/http/not-loaded.js';

it('a part of the client that could not be loaded is an error of the network, and nothing was sent', () => {
  expect(notLoaded()).toMatchObject({
    ...{ _tag: 'Network', code: 'EIMPORT', endpoint: 'import()', sent: false },
    message: 'The network failed (EIMPORT): a part of the client could not be loaded.',
  });
});
