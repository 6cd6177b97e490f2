import { describe, expect, it } from 'vitest';
import { type EndEvent, resumeCommand } from '../../../src/cli/report/cli-event.js';
import { eventLines } from '../../../src/cli/report/event-lines.js';
import { events } from '../helpers/events.js';
import { type Line, paint } from '../../../src/cli/terminal/line.js';

const plain = (lines: readonly Line[] = []) => lines.map((line) => paint(line, { colour: false }));

describe('eventLines', () => {
  it('sends results to standard output, one a line', () => {
    const printed = events.flatMap((event) => {
      const { results, data } = eventLines(event);
      return [...plain(results), ...(data === undefined ? [] : [data])];
    });
    expect(printed).toEqual([
      'SERVER  STATE  RUNS  WAIT  DONE  FAILED  MEMORY                 MODELS',
      'attic   up        1     0     3       0  2.0 GB of 8.0 GB free  scenery-v1.safetensors',
      '/out/a.png',
      'pets/cat.png',
      "a.png: png, API format and editor's format 0.4, 1 node",
      '4 LoraLoader "Load"',
      '  lora_name = "a.safetensors"',
      'model a.safetensors (4.lora_name)',
      'error: Not there.',
      'api.json',
      '- A',
      'in_progress (executing)',
      'p in_progress, place 2 (capacity)',
      '  queued   1970-01-01T00:00:01.000Z',
      '  started  1970-01-01T00:00:03.000Z, after 2.0 s',
      '  ended    1970-01-01T00:01:03.000Z, after 1:00',
      '  running  node 3 10/20 loading',
      '  file     a.png 64×32 2.5 s',
      '  pictures 1 over the socket',
      "  unread   1 output that can't be read",
      '  failure  OOMError: out of memory',
      '  warning  a branch was blocked',
      'running p',
      'waiting q',
      'p',
      'Cancelled p',
      'Thing',
      'Thing (things)',
      'Does a thing.',
      '  seed: INT = 7',
      '  mode: a | b',
      '  mask?: MASK',
      '  → IMAGE, MASK',
      'u active',
      'export PROMPTWIRE_BASE_URL=http://a',
      'export PROMPTWIRE_WS_URL=ws://a',
      'export PROMPTWIRE_API_KEY=k',
      '--server http://a --server http://b',
      'listening on http://c',
      'the studio is at http://s/',
      'data has 2 problems, repaired',
      'data has 1 problem: --repair makes of it what can be read',
      'data is whole',
      'failed   dns: it has no address',
      '         Correct it.',
      'all of it',
      'working on q as w',
      'failed     j p t  why',
      'waiting  1',
      'delayed  2',
      'held     3',
      'unknown  4',
      'ended    5',
      'slots    6',
      'external 1',
      'damaged  0',
      'draining: it takes no more jobs',
      'paused: why',
      'Class missing: Gone (nodes 1, 2), pack gone-pack',
      'Model missing: a.safetensors (4.ckpt), folder checkpoints, from https://m.example/a',
      'Model unknown: b.pth',
      'Class replaced: node 3 (Old) becomes New, without x, at which the service may fail',
      'To upload: c.png (5.image), 10 B of at most 5 B: too large',
      'Paid: node 6 (Partner), price 1',
      'Plan: does not refuse paid nodes by itself',
      'Plan: 1 free run left of 3',
      'Refused',
      'Accepted in part: 1 error, 2 warnings',
      'nodes.d.ts',
      'upscale         Makes a picture larger.',
      'job.ts',
      '{}',
    ]);
  });

  it('sends everything else to standard error', () => {
    const notes = events
      .filter(({ kind }) => kind !== 'error')
      .flatMap((event) => plain(eventLines(event).notes));
    expect(notes).toEqual([
      'Submitted as p',
      'a.json: completed on attic',
      'No connection yet (refused).',
      'Connection lost (cut). The job goes on; its state is asked for meanwhile.',
      'Connected again.',
      'Caption: a cat',
      'node 8:',
      '  one',
      '   two',
      '2 files are there already, and not saved again:',
      'Not saved: 1 temporary file of preview nodes (--include temp saves them).',
      'An earlier run with this job key submitted it.',
      'p was over before: failed.',
      'Asking the service to cancel p …',
      'It took the request.',
      'Asked the service to end everything that runs for this account at the moment.',
      'Its jobs run on a service.',
      'POST /api/v2/jobs 201 4 ms web',
      'Cleared: 3 jobs.',
      'Warning: steps is 0 (only the server can tell)',
      '2 node types.',
      "Warning: node 9 told something that can't be read (no file name), under images: {}",
      'Repaired in a.json: 1 problem.',
      'Warning: a branch was blocked',
      'OOMError: out of memory',
      '  at node 3 (KSampler)',
      '  request id: req-1',
      '  File "x.py", line 1',
      'The job goes on. To watch it:',
      '  promptwire follow p',
      'To cancel it:',
      '  promptwire cancel p',
    ]);
  });

  it('says of an error what happened and what to do', () => {
    const [unknown, odd] = events
      .filter(({ kind }) => kind === 'error')
      .map((event) => plain(eventLines(event).notes));
    expect(unknown?.[0]).toBe('Error: x');
    expect(unknown).toContain('  may have become: c');
    expect(odd).toEqual(['Error: odd']);
  });

  it('prints the id alone where the command leaves with it', () => {
    const detached = { kind: 'submitted', detached: true, promptId: 'p', nodeErrors: {} } as const;
    expect(eventLines(detached)).toEqual({ results: [['p']], notes: [] });
    expect(plain(eventLines({ ...detached, detached: false, recorded: true }).notes)).toEqual([
      'An earlier run with this job key submitted it as p',
    ]);
  });

  const end = (parts: Partial<EndEvent>) =>
    plain(eventLines({ kind: 'end', exit: 'done', stage: 'call', elapsedMs: 2_000, ...parts }).notes);

  it.each<[string, Partial<EndEvent>, readonly string[]]>([
    ['nothing after a call', {}, []],
    ['the time after a job', { stage: 'download', promptId: 'p' }, ['Done in 2.0 s']],
    ['a cancellation', { exit: 'cancelled', stage: 'ended', promptId: 'p' }, ['The job was cancelled.']],
    [
      'a job that is lost',
      { exit: 'untraceable', stage: 'ended', promptId: 'p' },
      ['No source of the service knows this job any more.'],
    ],
    [
      'a stop before the submission',
      { exit: 'SIGINT', stage: 'submit' },
      ['Stopped before anything was submitted.'],
    ],
    ['a stop of a call', { exit: 'timeout' }, ['Stopped.']],
    [
      'files that are missing',
      { exit: 'download', stage: 'download', promptId: 'p' },
      ['The job is over. To fetch its files:', '  promptwire outputs p'],
    ],
    [
      'files of a failed job that are missing',
      { exit: 'failed', stage: 'download', promptId: 'p' },
      ['The job is over. To fetch its files:', '  promptwire outputs p'],
    ],
    ['a failure', { exit: 'failed', stage: 'ended', promptId: 'p' }, ['The job failed.']],
    ['nothing after an error', { exit: 'auth' }, []],
  ])('ends with %s', (_, parts, lines) => {
    expect(end(parts)).toEqual(lines);
  });
});

const end = { kind: 'end', exit: 'SIGINT', stage: 'watch', promptId: 'ab-1', elapsedMs: 1 } as const;

describe('resumeCommand', () => {
  it('follows a job that goes on, and fetches the files of one that is over', () => {
    expect(resumeCommand(end)).toBe('promptwire follow ab-1');
    expect(resumeCommand({ ...end, exit: 'download', stage: 'download' })).toBe('promptwire outputs ab-1');
  });

  it('F24: looks again for the files of a job whose record was not whole', () => {
    for (const stage of ['ended', 'download'] as const)
      expect(resumeCommand({ ...end, exit: 'incomplete', stage })).toBe('promptwire outputs ab-1');
  });

  it('is nothing where nothing is left to do', () => {
    expect(resumeCommand({ ...end, exit: 'done', stage: 'download' })).toBeUndefined();
    expect(resumeCommand({ ...end, exit: 'failed', stage: 'ended' })).toBeUndefined();
    expect(resumeCommand({ ...end, exit: 'untraceable' })).toBeUndefined();
    expect(resumeCommand({ kind: 'end', exit: 'SIGINT', stage: 'submit', elapsedMs: 1 })).toBeUndefined();
  });

  it('is safe to paste into a shell, with any job id', () => {
    expect(resumeCommand({ ...end, promptId: "x'; rm -rf ~ #" })).toBe(
      `promptwire follow 'x'\\''; rm -rf ~ #'`,
    );
    expect(resumeCommand({ ...end, promptId: '-rf' })).toBe("promptwire follow '-rf'");
  });
});
