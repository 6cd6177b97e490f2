import {
  type Client,
  fromAbortSignal,
  type OutputFile,
  outputFiles,
  outputTexts,
  safeFileName,
  type SavedFile,
  unreadOutputs,
} from '../../node.js';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type EndedJob, nodeTitles } from './ended-job.js';
import { join, parse } from 'node:path';
import { lastValueFrom, takeUntil, tap } from 'rxjs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import type { SavingFlags } from './common-options.js';
import type { Session } from '../run-command.js';
import { nameOutputs } from '../../workflow.js';
import { streamingNodes } from './streamed-pictures.js';

/** Picks the options of {@link saveOutputs} from those of a command. */
export const saveOptions = ({ out, include, name }: SavingFlags): SavingFlags => ({
  out,
  ...(include === undefined ? {} : { include }),
  ...(name === undefined ? {} : { name }),
});

/** Reports every output of a job and downloads its files; each is reported once it is complete. */
export const saveOutputs = async (
  session: Session,
  client: Client,
  job: EndedJob,
  { out, include, name }: SavingFlags,
): Promise<void> => {
  const { promptId, phase, outputs, nodes, workflow = {} } = job;
  const files = outputFiles(outputs, { nodes });
  for (const file of files) session.report({ kind: 'output', promptId, file });
  const texts = outputTexts(outputs, { nodes });
  const titles = nodeTitles(workflow);
  for (const text of texts) session.report({ kind: 'text', promptId, ...text, titles });
  const unread = unreadOutputs(outputs);
  for (const output of unread) session.report({ kind: 'unread', promptId, ...output, titles });
  if (files.length === 0) {
    const made = texts.length + unread.length + streamingNodes(workflow).length;
    if (phase === 'completed' && made === 0)
      session.report({ kind: 'warning', message: 'the job has no files' });
    return;
  }

  const chosen = include === 'temp' ? files : files.filter(({ type }) => type === 'output');
  if (chosen.length < files.length) {
    session.report({ kind: 'skipped', promptId, count: files.length - chosen.length });
  }
  session.enterStage('download', promptId);
  const named = nameOutputs(chosen, { workflow, job, pattern: name });
  const names = new Map(chosen.map((file, at) => [file, named[at]?.name ?? file.filename]));
  const existing = await findSaved(client, chosen, { out, names, signal: session.stop });
  if (existing.size > 0) session.report({ kind: 'existing', promptId, count: existing.size });
  for (const file of existing.values()) session.report({ kind: 'saved', promptId, file, existing: true });
  const missing = chosen.filter((file) => !existing.has(file));
  if (missing.length === 0) return;

  let saved = 0;
  const options = { name: (file: OutputFile) => names.get(file) ?? file.filename, signal: session.stop };
  const downloading = client.download(missing, out, options).pipe(
    tap((state) => {
      session.report({ kind: 'download', state });
      for (const file of state.files.slice(saved)) session.report({ kind: 'saved', promptId, file });
      saved = state.files.length;
    }),
    takeUntil(fromAbortSignal(session.stop)),
  );
  const last = await lastValueFrom(downloading, { defaultValue: undefined });
  if (last?.done !== true) throw new Error('the download ended before every file was there');
};

/** Options of {@link findSaved}. */
export interface FindSavedOptions {
  /** The folder of an earlier command. */
  readonly out: string;
  readonly names: ReadonlyMap<OutputFile, string>;
  readonly signal: AbortSignal;
}

/**
 * Finds the files that an earlier command saved completely, under their present name or one numbered by `~2`, `~3`…
 *
 * A file counts where its bytes are those of the service: by a digest in the service's name or ETag, otherwise by fetching
 * the file and comparing digests. Each file on disk counts for one file of the job: the file with the fewest namesakes takes its own
 * first, since what is saved as `a~2` may be `a` as well. Unreadable files are ignored.
 */
const findSaved = async (
  { rest: { view } }: Pick<Client, 'rest'>,
  files: readonly OutputFile[],
  { out, names, signal }: FindSavedOptions,
): Promise<ReadonlyMap<OutputFile, SavedFile>> => {
  const folder = await realpath(out).catch(() => undefined);
  if (folder === undefined) return new Map();
  const found = new Map<OutputFile, SavedFile>();
  const taken = new Set<string>();
  const wanted = await Promise.all(
    files.map(async (file) => {
      const name = safeFileName(names.get(file) ?? file.filename);
      return { file, all: await candidatesFor(folder, name).catch(() => []) };
    }),
  );
  for (const { file, all } of wanted.toSorted((one, other) => one.all.length - other.all.length)) {
    const candidates = all.filter(({ path }) => !taken.has(path));
    if (candidates.length === 0 || signal.aborted) continue;
    const same = await firstSame(candidates, { file, view, signal }).catch(() => undefined);
    if (same === undefined) continue;
    taken.add(same.path);
    found.set(file, { ...file, ...same, verified: true });
  }
  return new Map(
    files.flatMap((file) => {
      const saved = found.get(file);
      return saved === undefined ? [] : [[file, saved]];
    }),
  );
};

interface Candidate {
  readonly path: string;
  readonly bytes: number;
}

/** The files of this name and its numbered forms. */
const candidatesFor = async (folder: string, wanted: string): Promise<readonly Candidate[]> => {
  const { name, ext } = parse(wanted);
  const isNamesake = (entry: string): boolean =>
    entry.startsWith(name) &&
    entry.endsWith(ext) &&
    /^(?:~\d+)*$/u.test(entry.slice(name.length, entry.length - ext.length));
  const found: Candidate[] = [];
  for (const entry of (await readdir(folder)).filter(isNamesake).sort()) {
    const path = join(folder, entry);
    const stats = await lstat(path);
    if (stats.isFile()) found.push({ path, bytes: stats.size });
  }
  return found;
};

const firstSame = async (
  candidates: readonly Candidate[],
  {
    file,
    view,
    signal,
  }: { readonly file: OutputFile; readonly signal: AbortSignal } & Pick<Client['rest'], 'view'>,
): Promise<Candidate | undefined> => {
  const content = await view(file, { signal })();
  if (content._tag === 'Left') return undefined;
  const { size, etag = '', body, discard } = content.right;
  const serviceDigests = [parse(file.filename).name, etag.replaceAll('"', '')].map((digest) =>
    digest.toLowerCase(),
  );
  try {
    const digests = new Map<Candidate, readonly string[]>();
    for (const candidate of candidates.filter(({ bytes }) => size === undefined || size === bytes)) {
      const local = await digestsOf(createReadStream(candidate.path));
      if (local.some((digest) => serviceDigests.includes(digest))) return candidate;
      digests.set(candidate, local);
    }
    if (digests.size === 0) return undefined;
    const [, sha256 = ''] = await digestsOf(body);
    return [...digests].find(([, local]) => local.includes(sha256))?.[0];
  } finally {
    discard();
  }
};

/** MD5, which storages use as the ETag of a single upload, and SHA-256. */
const digestsOf = async (chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> => {
  const hashes = [createHash('md5'), createHash('sha256')];
  for await (const chunk of chunks) for (const hash of hashes) hash.update(chunk);
  return hashes.map((hash) => hash.digest('hex'));
};
