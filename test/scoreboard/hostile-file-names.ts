import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { download } from '../../src/core/files/download.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { safeFileName } from '../../src/core/names/safe-file-name.js';
import { type TakenNames, uniqueName } from '../../src/core/names/unique-name.js';
import type { Files } from '../../src/core/platform/platform.js';
import { outputNamed } from '../helpers/file-service.js';
import { hostileNames } from '../helpers/hostile-names.js';
import { type Random, randomOf } from '../simulation/random.js';
import type { Figure, Range, Tally } from './figure.js';
import { foundAs, nameProblems } from './names/name-rules.js';
import { obstructedFolder } from './names/obstructed-folder.js';
import { watchProcess } from './process-health.js';

/** The steps of a download that have to do with names; those of the client unless a planted bug takes their place. */
export interface Naming {
  /** Makes a name safe, and unlike all that are taken. */
  readonly nameOf: (name: string, taken: TakenNames) => string;
  readonly files: Files;
}

const clientNaming: Naming = {
  nameOf: (name, taken) => uniqueName(safeFileName(name), taken),
  files: nodeFiles,
};

const groupSize = 200;

/** Names that want out, as text under the rules of both systems and as files on a real disk full of traps. */
export const hostileFileNames: Figure = {
  id: 'hostile-file-names',
  what: 'hostile names: by the rules of POSIX and Windows, in collision, and saved among links, folders and files (real disk)',
  target: '0 escapes, 0 overwrites, 0 reserved in ≥ 2,000 names × 2 systems; n files in, n out',
  count: Math.ceil(hostileNames.length / groupSize),
  splits: true,
  run: (range) => saveHostileNames(range),
  shortfalls: ({ counts: { names = 0, 'files out': out = 0 } }) => [
    ...(names >= 2_000 ? [] : [`only ${names} names`]),
    ...(out === names ? [] : [`${out} files out of ${names}`]),
  ],
};

/** Takes a range of groups of names, each first as text, then as files. */
export const saveHostileNames = async (
  { from, count }: Range,
  naming: Naming = clientNaming,
): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = { names: 0, 'names distinct': 0, obstacles: 0, 'files out': 0, violations: 0 };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const names = namesOf(seed);
    const asText = judgeNames(names, naming);
    const asFiles = await judgeFiles(names, naming, randomOf(seed, 16));
    counts.names += names.length;
    counts['names distinct'] += asText.distinct;
    counts.obstacles += asFiles.obstacles;
    counts['files out'] += asFiles.out;
    const found = [...asText.problems, ...asFiles.problems];
    counts.violations += found.length;
    problems.push(
      ...found.map((problem) => `${problem}; npm run replay -- hostile-file-names --seed ${seed}`),
    );
  }
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

const namesOf = (seed: number): readonly string[] =>
  Array.from(
    { length: groupSize },
    (_, at) => hostileNames[((seed - 1) * groupSize + at) % hostileNames.length]!,
  );

const judgeNames = (names: readonly string[], { nameOf }: Naming) => {
  const taken: TakenNames = new Map();
  const met = new Set<string>();
  const problems: string[] = [];
  let distinct = 0;
  for (const name of names) {
    const made = nameOf(name, taken);
    problems.push(...nameProblems(made).map((problem) => `${JSON.stringify(made)}: ${problem}`));
    if (foundAs(made).some((key) => met.has(key))) problems.push(`${JSON.stringify(made)} meets another`);
    else distinct += 1;
    for (const key of foundAs(made)) met.add(key);
  }
  return { distinct, problems };
};

const judgeFiles = async (names: readonly string[], { files }: Naming, random: Random) => {
  await using folder = await obstructedFolder();
  const problems: string[] = [];
  const wanted: TakenNames = new Map();
  let [obstacles, out] = [0, 0];
  for (const name of names) {
    const made = uniqueName(safeFileName(name), wanted);
    if (!random.chance(0.4)) continue;
    await folder.obstruct(random.pick([made, `${made}.part`]), random);
    obstacles += 1;
  }
  const paths = await save(names, folder.dir, files).catch((error: unknown) => {
    problems.push(`not saved: ${String(error)}`);
    return [];
  });
  for (const [at, path] of paths.entries()) {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    if (dirname(path) === folder.dir && content.equals(contentOf(String(at)))) out += 1;
    else problems.push(`${JSON.stringify(path)} holds another file than ${at}`);
  }
  problems.push(...(await folder.problems(paths.map((path) => basename(path)))));
  return { obstacles, out, problems };
};

/** Saves files whose content is their number, and gives their paths in the order of the names. */
const save = async (names: readonly string[], dir: string, files: Files): Promise<readonly string[]> => {
  const run = download({
    platform: { ...nodePlatform(), files },
    view:
      ({ subfolder = '' }) =>
      () => {
        const bytes = contentOf(subfolder);
        const body = new Blob([bytes]).stream();
        return Promise.resolve(
          E.right({ mediaType: 'text/plain', size: bytes.byteLength, body, discard: () => undefined }),
        );
      },
  });
  // The number rides in a member that has no say in names.
  const outputs = names.map((filename, at) => ({ ...outputNamed(filename), subfolder: String(at) }));
  const { files: saved } = await lastValueFrom(run(outputs, dir));
  return names.map((_, at) => saved.find(({ subfolder }) => subfolder === String(at))?.path ?? '');
};

/** Begins like a picture, which some of the names promise. */
const contentOf = (number: string): Buffer<ArrayBuffer> => Buffer.from(`\x89PNG${number}`, 'latin1');
