import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const rows = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  .split('## Where to start')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => /^\| (?!task |-)/u.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()) as unknown as readonly [string, string, string]);

/** The most files that a newcomer's task may take. */
const goals: Readonly<Record<string, number>> = {
  'follow a frame to a `JobState`': 9,
  'add a text event': 3,
  'add an endpoint': 3,
  'fix a reconnect bug': 4,
  'add a dialect': 1,
  'add an operator': 2,
  'add a gateway route and its remote call': 4,
  'see what happens when a worker of a queue dies': 4,
};

describe('the tasks of CONTRIBUTING', () => {
  it.each(rows)('%s%s names files that are there', (_, __, files) => {
    const named = [...files.matchAll(/`([a-z\d-]+\/[\w./-]+)`/gu)].map(([, path]) => path!);
    const missing = named.filter(
      (path) =>
        !['', '.ts', '.tsx', '.lua'].some((ending) =>
          [root, join(root, 'src')].some((folder) => existsSync(join(folder, `${path}${ending}`))),
        ),
    );
    expect([named.length > 0, missing]).toEqual([true, []]);
  });

  it('explain the line of a frame by at most twelve files', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const sentence = /^Three more files explain that line:([^.]*)\./mu.exec(text)?.[1] ?? '';
    const more = [...sentence.matchAll(/`([\w./-]+)`/gu)].map(([, path]) => `${path!}.ts`);
    expect(more.map((path) => existsSync(join(root, 'src', path)))).toEqual([true, true, true]);
    expect(goals['follow a frame to a `JobState`']! + more.length).toBeLessThanOrEqual(12);
  });

  it.each(Object.entries(goals))('%s takes at most %i files', (task, most) => {
    const files = rows.find(([, name]) => name === task)?.[2] ?? '';
    const counted = /^(?:\d+ or |at most )?(\d+)/u.exec(files)?.[1];
    expect(Number(counted)).toBeLessThanOrEqual(most);
  });
});
