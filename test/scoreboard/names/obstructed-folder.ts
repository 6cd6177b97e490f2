import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../simulation/random.js';

/** A folder with traps in it, beside things that no download may touch. */
export interface ObstructedFolder extends AsyncDisposable {
  readonly dir: string;
  /** Puts something where a file would like to be. */
  readonly obstruct: (name: string, random: Random) => Promise<void>;
  /** What was changed that was there before, and what is there besides `saved`. */
  readonly problems: (saved: readonly string[]) => Promise<readonly string[]>;
}

type Obstacle = 'file' | 'folder' | 'link to a file' | 'link to a folder' | 'link to nowhere';

const obstacles: readonly Obstacle[] = [
  'file',
  'folder',
  'link to a file',
  'link to a folder',
  'link to nowhere',
];

/** Makes an {@link ObstructedFolder} on the real disk. */
export const obstructedFolder = async (): Promise<ObstructedFolder> => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-s16-')));
  const [dir, outside, elsewhere, nowhere] = ['out', 'outside', 'elsewhere', 'nowhere'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  await mkdir(dir);
  await mkdir(elsewhere);
  await writeFile(outside, mine);
  const placed = new Map<string, Obstacle>();
  const targets = { 'link to a file': outside, 'link to a folder': elsewhere, 'link to nowhere': nowhere };

  const place = async (name: string, obstacle: Obstacle): Promise<void> => {
    const path = join(dir, name);
    if (obstacle === 'file') await writeFile(path, mine, { flag: 'wx' });
    else if (obstacle === 'folder') await mkdir(path);
    else await symlink(targets[obstacle], path);
  };
  const isAsPlaced = async (name: string, obstacle: Obstacle): Promise<boolean> => {
    const path = join(dir, name);
    if (obstacle === 'file') return (await lstat(path)).isFile() && (await readFile(path, 'utf8')) === mine;
    if (obstacle === 'folder') return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0;
    return (await readlink(path)) === targets[obstacle];
  };
  const holds = (work: Promise<boolean>): Promise<boolean> => work.catch(() => false);

  return {
    dir,
    obstruct: async (name, random) => {
      if (placed.has(name)) return;
      const obstacle = random.pick(obstacles);
      await place(name, obstacle);
      placed.set(name, obstacle);
    },
    problems: async (saved) => {
      const problems: string[] = [];
      for (const [name, obstacle] of placed)
        if (!(await holds(isAsPlaced(name, obstacle))))
          problems.push(`overwrote a ${obstacle} at ${JSON.stringify(name)}`);
      const beside = (await readdir(root)).sort().join();
      if (beside !== 'elsewhere,out,outside') problems.push(`escaped: there is ${beside}`);
      if ((await readdir(elsewhere)).length > 0) problems.push('escaped by a link to a folder');
      if (!(await holds(readFile(outside, 'utf8').then((text) => text === mine))))
        problems.push('escaped by a link to a file');
      const expected = new Set([...placed.keys(), ...saved]);
      const rest = (await readdir(dir)).filter((name) => !expected.has(name));
      if (rest.length > 0) problems.push(`left behind ${rest.map((name) => JSON.stringify(name)).join()}`);
      return problems;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
};

const mine = 'mine';
