import { describe, expect, it } from 'vitest';
import { lazyValidation } from '../../src/client/jobs/validate.js';
import { picture } from '../workflow/validate/definitions.js';
import { fakeRest } from '../helpers/fake-rest.js';

describe('a page that can not load the validator', () => {
  it('sends nothing in mode strict, sends all in mode warn, and tries again', async () => {
    let isMissing = true;
    const validate = lazyValidation(
      fakeRest(),
      (value) => value,
      () =>
        isMissing
          ? Promise.reject(new Error('no such chunk'))
          : import('../../src/client/jobs/validation.js'),
    );
    expect(await validate(picture(), 'strict')).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'Network', sent: false },
    });
    expect(await validate(picture(), 'warn')).toMatchObject({
      _tag: 'Right',
      right: [{ type: 'not_validated' }],
    });
    isMissing = false;
    expect(await validate(picture(), 'strict')).toMatchObject({ _tag: 'Left', left: { _tag: 'NotFound' } });
  });
});
