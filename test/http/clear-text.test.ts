import { clearTextRefusal } from '../../src/core/http/clear-text.js';
import { checkLogger } from '../../src/core/http/check-logger.js';
import { expect, it } from 'vitest';

it('a secret is refused that an option would send over a network in clear text, and no other', () => {
  expect(clearTextRefusal({ clearText: undefined } as never, 'the key')).toBeUndefined();
  expect(clearTextRefusal({ clearText: 'wsUrl' } as never, 'the key')).toMatchObject({
    ...{ _tag: 'InvalidConfig', option: 'wsUrl' },
    message: 'wsUrl would send the key in clear text over a network.',
    hint: expect.stringContaining('allowClearText') as string,
  });
});

it('a logger has every level, or is none', () => {
  checkLogger(undefined);
  checkLogger(console);
  const [write, message] = [() => undefined, 'logger takes an object with debug, info, warn and error'];
  for (const wrong of [null, 7, 'console', write, { debug: write, info: write, warn: write }])
    expect(() => checkLogger(wrong as never)).toThrow(message);
  expect(() => checkLogger({} as never)).toThrow(
    expect.objectContaining({ _tag: 'InvalidConfig', option: 'logger' }) as Error,
  );
});
