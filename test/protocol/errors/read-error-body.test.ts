import { describe, expect, it } from 'vitest';
import { readErrorBody } from '../../../src/protocol/errors/read-error-body.js';

const read = (json: unknown) => readErrorBody(JSON.stringify(json), json);

describe('readErrorBody', () => {
  it('takes the error object first', () => {
    expect(read({ error: { type: 'a', message: 'm' }, code: 'C', message: 'n' })).toEqual({
      type: 'a',
      message: 'm',
    });
    expect(read({ error: { code: 'c', message: 'm' } })).toEqual({ type: 'c', message: 'm' });
    expect(read({ error: { message: 'm', details: 'd' } })).toEqual({ message: 'm (d)' });
    expect(read({ error: { details: 'd' } })).toEqual({ message: 'd' });
    expect(read({ error: {}, code: 'C', message: 'n' })).toEqual({ type: 'C', message: 'n' });
  });

  it('takes an error text, then code and message', () => {
    expect(read({ error: 'no', message: 'n' })).toEqual({ message: 'no' });
    expect(read({ code: 'NOT_FOUND', message: 'n' })).toEqual({ type: 'NOT_FOUND', message: 'n' });
    expect(read({ message: 'n' })).toEqual({ message: 'n' });
    expect(read({ code: ' NOT_FOUND ', message: 'n\n' })).toEqual({ type: 'NOT_FOUND', message: 'n' });
  });

  it('hands node errors on as they are', () => {
    expect(read({ error: { type: 't' }, node_errors: { 1: {} } })).toEqual({
      type: 't',
      nodeErrors: { 1: {} },
    });
  });

  it('quotes plain text but neither markup nor nothing', () => {
    expect(readErrorBody(' Server got itself in trouble \n', undefined)).toEqual({
      message: 'Server got itself in trouble',
    });
    expect(readErrorBody('no <html> [here]', undefined)).toEqual({ message: 'no <html> [here]' });
    for (const text of ['', '  ', '<html>502</html>', '[1]', '{"a":'])
      expect(readErrorBody(text, undefined)).toEqual({});
  });

  it('is not put off by members of other types', () => {
    for (const json of [
      {},
      { error: null },
      { error: [] },
      { error: 5, code: 5, message: [] },
      { message: ' ' },
    ]) {
      expect(read(json)).toEqual({});
    }
    expect(readErrorBody('3', 3)).toEqual({ message: '3' });
  });
});
