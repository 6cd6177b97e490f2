import { checkLogger } from '../../src/core/http/check-logger.js';
import { expect, it } from 'vitest';

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
