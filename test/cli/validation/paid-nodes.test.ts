import { askForPaid } from '../../../src/cli/validation/paid-nodes.js';
import { describe, expect, it } from 'vitest';
import { PassThrough } from 'node:stream';
import { redactor } from '../../../src/node.js';
import type { Session } from '../../../src/cli/run-command.js';
import { UsageError } from '../../../src/cli/cli-io.js';

const definitions = {
  Paid: {
    api_node: true,
    input: {},
    output: [],
    name: 'Paid',
    display_name: 'Paid',
    category: 'api',
    output_node: true,
  },
  Free: { input: {}, output: [], name: 'Free', display_name: 'Free', category: 'free', output_node: true },
} as never;
const workflow = (...classes: readonly string[]) =>
  Object.fromEntries(classes.map((name, at) => [`${at + 1}`, { class_type: name, inputs: {} }]));

/** A command at a terminal, or none, at which a person types `answer`; `ends` closes the terminal after it. */
const asked = async (answer: string | undefined, classes: readonly string[], more: object = {}) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (!shown.includes('[y/N]')) return;
    if (answer === 'end') stdin.end();
    else stdin.write(`${answer}\n`);
  });
  const session = {
    io: { stdin, stderr, asks: answer !== undefined },
    stop: new AbortController().signal,
    redact: redactor(['hushhush-0123456789']),
  };
  const submission = { workflow: workflow(...classes), name: 'a.json', ...more };
  const end = await askForPaid(session as unknown as Session, definitions, submission).then(
    () => 'submitted',
    (error: unknown) => error,
  );
  return { end, shown };
};

describe('a workflow with paid nodes', () => {
  it.each(['y', 'Y', 'yes', ' YES '])('is submitted where a person answers %j', async (answer) => {
    const { end, shown } = await asked(answer, ['Paid']);
    expect(end).toBe('submitted');
    expect(shown).toMatch(/^a\.json has a paid node: .*Paid.*\.\nSubmit it\? \[y\/N\] /u);
  });

  it.each(['', 'n', 'no', 'yess', 'ye', 'oy', 'end'])('is not submitted at the answer %j', async (answer) => {
    const { end } = await asked(answer, ['Paid', 'Paid']);
    expect(end).toBeInstanceOf(UsageError);
    expect(end).toMatchObject({ message: 'a.json was not submitted' });
  });

  it('is not submitted without a terminal, and the message says what submits it', async () => {
    const { end, shown } = await asked(undefined, ['Paid', 'Free', 'Paid']);
    expect(end).toBeInstanceOf(UsageError);
    expect((end as Error).message).toMatch(
      /^a\.json has 2 paid nodes: .*; .*\. Nothing was sent; --allow-paid submits it$/u,
    );
    expect(shown).toBe('');
  });

  it('H1: shows no key of it, also one that invisible characters part', async () => {
    const name = 'hush\u200Bhush-0123456789.json';
    const { shown, end } = await asked('n', ['Paid'], { name });
    expect(shown).toMatch(/^\[redacted\]\.json has a paid node/u);
    expect(end).toBeInstanceOf(UsageError);
  });

  it('asks of what runs alone', async () => {
    expect((await asked('n', ['Paid', 'Free'], { targets: ['2'] })).end).toBe('submitted');
    expect((await asked('n', ['Paid', 'Free'], { targets: ['1'] })).end).toBeInstanceOf(UsageError);
    expect(await asked('n', ['Free'])).toEqual({ end: 'submitted', shown: '' });
  });

  it('is submitted where the node classes are not known', async () => {
    const session = { io: {}, stop: new AbortController().signal } as unknown as Session;
    await expect(
      askForPaid(session, undefined, { workflow: workflow('Paid'), name: 'a' }),
    ).resolves.toBeUndefined();
  });
});
