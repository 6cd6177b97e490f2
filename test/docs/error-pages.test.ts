import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorDefaults } from '../../src/core/errors/error-defaults.js';
import type { ServiceErrorTag } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/errors');
const repository = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } }
).repository.url
  .replace(/^git\+/u, '')
  .replace(/\.git$/u, '');

const again = { never: 'No.', after: 'Yes,', 'unknown outcome': 'Not blindly.' } as const;
const tags = Object.keys(errorDefaults) as ServiceErrorTag[];

describe('the pages of errors', () => {
  it('are one for each tag, and a list of them', () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      [...tags.map((tag) => `${tag}.md`), 'README.md'].toSorted(),
    );
    const list = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(tags.filter((tag) => !list.includes(`[\`${tag}\`](${tag}.md)`))).toEqual([]);
  });

  it.each(tags)('answer for %s what a reader of a log asks', (tag) => {
    const page = readFileSync(join(folder, `${tag}.md`), 'utf8');
    expect(page).toContain(`# ${tag}\n\n\`\`\`text\n${tag}: ${errorDefaults[tag].message}\n`);
    const parts = page.split(/^## /mu).slice(1);
    expect(parts.map((part) => part.slice(0, part.indexOf('\n')))).toEqual([
      'What happened',
      'How to tell',
      'What to do',
      'Try again?',
    ]);
    expect(parts.at(-1)).toContain(`Try again?\n\n${again[errorDefaults[tag].retry]}`);
  });

  it.each(tags)('stand where an error of %s says', (tag) => {
    const error = serviceError(tag, {});
    expect(error.docsUrl).toBe(`${repository}/blob/main/docs/errors/${tag}.md`);
    expect(JSON.stringify(error)).not.toContain('docsUrl');
  });
});
