import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/entries.mjs';

interface Page {
  readonly sentences: number;
  readonly words: number;
  readonly longest: number;
  readonly passive: number;
  readonly problems: readonly string[];
}

interface Prose {
  readonly readPage: (file: string) => Promise<Page>;
  readonly judge: (pages: readonly Page[]) => { readonly problems: readonly string[] };
}

const isThere =
  existsSync(join(root, 'site', 'node_modules', 'textlint')) ||
  process.env['PROMPTWIRE_PROGRAMS'] !== undefined;

describe.runIf(isThere)('the limits of how pages read', () => {
  let folder: string;
  let prose: Prose;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'promptwire-prose-'));
    prose = (await import(join(root, 'site', 'prose.mjs'))) as Prose;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const read = (text: string): Promise<Page> => {
    const file = join(folder, 'page.md');
    writeFileSync(file, text);
    return prose.readPage(file);
  };

  it('let a page pass whose sentences are short', async () => {
    const page = await read('# A page\n\nThe client reads the queue. It waits for `job.outputs`.\n');
    expect(page).toMatchObject({ sentences: 2, words: 9, longest: 5, passive: 0, problems: [] });
    expect(prose.judge([page]).problems).toEqual([]);
  });

  it.each([
    ['a sentence of more than forty words', `${'very '.repeat(41)}long.`, /too long/u],
    ['a phrase that is banned', 'The caller is told of the end.', /is told/u],
    ['a nest of conditions', 'It waits where the job that ran has files that are large.', /where the job/u],
    ['a page of long sentences', `${'word '.repeat(30)}ends here.`, /words a sentence/u],
    ['pages in the passive', 'The job was cancelled. The file was deleted.', /passive/u],
  ])('name %s', async (_, text, problem) => {
    expect(prose.judge([await read(`# A page\n\n${text}\n`)]).problems.join('\n')).toMatch(problem);
  });

  it('count no words of a quotation, which is what a program printed', async () => {
    expect(await read(`> ${'word '.repeat(60)}.\n`)).toMatchObject({ sentences: 0, problems: [] });
  });
});
