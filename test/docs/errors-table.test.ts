import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorDefaults } from '../../src/core/errors/error-defaults.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/errors.md'), 'utf8');

/** The rows of the page's table of tags: tag, what happened, what to do, retry class. */
const rows = page
  .slice(page.indexOf('## All tags'), page.indexOf('Worth knowing:'))
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, tag = '']) => /^`\w+`$/u.test(tag))
  .map(([, tag = '', message, hint, retry]) => ({ tag: tag.slice(1, -1), message, hint, retry }));

describe('the table of errors in the guide', () => {
  it('names every tag once and no other', () => {
    expect(rows.map(({ tag }) => tag).toSorted()).toEqual(Object.keys(errorDefaults).toSorted());
  });

  it.each(Object.entries(errorDefaults))('says of %s what the library says', (tag, defaults) => {
    expect(rows.find((row) => row.tag === tag)).toEqual({ tag, ...defaults });
  });
});
