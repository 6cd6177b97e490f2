import { inspect } from 'node:util';
import { canaries } from './canaries.js';
import { needlesOf } from './needles.js';

/** What a process showed of itself, and which secrets stood in it. */
export interface Shown {
  readonly bytes: number;
  readonly things: number;
  /** Programs that this process started, and what they showed is in `bytes` too. */
  readonly programs: number;
  /** `what: which secret, in which encoding`. */
  readonly leaks: readonly string[];
  /** What a program wrote that is no output of its own: warnings of the runtime. */
  readonly warnings: readonly string[];
}

/** Where watchers put what a user could see. Costs nothing while the sinks are closed. */
export const sinks = {
  /** A text that is printed, logged or written to a file. */
  text: (what: string, text: string): void => open?.add(what, text),
  /** A value that is shown often: only as JSON. */
  state: (what: string, state: unknown): void => open?.add(what, JSON.stringify(state)),
  /** A value in every way in which a program shows one: printed, inspected, as JSON, with what caused it. */
  value: (what: string, value: unknown): void => {
    if (open !== undefined) for (const text of shownOf(value)) open.add(what, text);
  },
  /** Searches what has gathered and lets go of it: for those who measure memory. */
  flush: (): void => open?.flush(),
  /** What a program that was started has written. */
  program: (what: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void => {
    if (open === undefined) return;
    open.add(`${what}, standard output`, stdout);
    open.add(`${what}, standard error`, stderr);
    open.programs += 1;
    for (const [line] of stderr.matchAll(/^(?:\(node:\d+\).*|.*UnhandledPromiseRejection.*)$/gmu))
      open.warnings.push(`${what}: ${line}`);
  },
} as const;

/** Opens the sinks of this process, its own standard streams and console among them; the result closes them. */
export const openSinks = (): (() => Shown) => {
  const collecting = collector();
  const restores = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
      collecting.add(name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'));
      return (write as (...args: readonly unknown[]) => boolean)(chunk, ...more);
    };
    return () => (stream.write = write);
  });
  open = collecting;
  return () => {
    open = undefined;
    for (const restore of restores) restore();
    return collecting.report();
  };
};

/** All that can be shown of a value. */
export const shownOf = (value: unknown): readonly string[] => {
  const texts = [
    inspect(value, {
      depth: 10,
      showHidden: true,
      getters: true,
      maxStringLength: null,
      maxArrayLength: null,
    }),
    String(value),
    jsonOf(value),
  ];
  for (let cause = value; cause instanceof Error; cause = cause.cause) {
    texts.push(cause.message, cause.stack ?? '', jsonOf(cause), jsonOf(Object.entries(cause)));
  }
  return texts;
};

let open: ReturnType<typeof collector> | undefined;

const batchLength = 4 * 1024 * 1024;

const collector = () => {
  const needles = Object.entries(canaries).flatMap(([name, secret]) =>
    needlesOf(secret).map(({ encoding, bytes }) => ({ name: `${name}, ${encoding}`, bytes })),
  );
  const leaks = new Set<string>();
  let batch: { readonly what: string; readonly text: string }[] = [];
  let [length, bytes, things] = [0, 0, 0];

  const scan = (): void => {
    const all = Buffer.from(batch.map(({ text }) => text).join('\n'));
    bytes += all.length;
    for (const { name, bytes: needle } of needles) {
      if (!all.includes(needle)) continue;
      for (const { what, text } of batch)
        if (Buffer.from(text).includes(needle)) leaks.add(`${what}: ${name}`);
    }
    batch = [];
    length = 0;
  };
  return {
    programs: 0,
    flush: scan,
    warnings: [] as string[],
    add: (what: string, text: string): void => {
      batch.push({ what, text });
      things += 1;
      length += text.length;
      if (length >= batchLength) scan();
    },
    report(): Shown {
      scan();
      return { bytes, things, programs: this.programs, leaks: [...leaks], warnings: this.warnings };
    },
  };
};

const jsonOf = (value: unknown): string => {
  const seen = new Set<unknown>();
  const once = (_: string, member: unknown): unknown => {
    if (typeof member === 'bigint') return String(member);
    if (typeof member !== 'object' || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member;
  };
  return JSON.stringify([value], once);
};
