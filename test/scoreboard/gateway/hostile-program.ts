import { callOnce, hostileCalls } from './hostile-calls.js';

/** What a hostile caller did: the tries of each kind, and the answers of the server that are its own faults. */
export interface HostileTally {
  readonly tries: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** A hostile caller in a process of its own: it begins at once, and answers each message with a {@link HostileTally}; `stop` ends it. */
const [base = '', token = '', job = '', strength = '1'] = process.argv.slice(2);
const tries: Record<string, number> = {};
const tried = new Set<string>();
const faults: string[] = [];
let isOver = false;

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
/** The path of the job's output, once it has one. */
const outputOf = async (): Promise<string> => {
  for (;;) {
    const text = await fetch(`${base}/jobs/${job}`, { headers }).then((answer) => answer.text());
    const [output] = /\/jobs\/[^"]*\/outputs\/[^"]*/u.exec(text) ?? [];
    if (output !== undefined) return output;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
/** Saves a template that is nearly as large as a caller's templates may be. */
const templateOf = async (): Promise<string> => {
  const path = '/templates/large';
  const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 1, text: 'x'.repeat(15 * 2 ** 20) } } };
  const body = JSON.stringify({ workflow, inputs: { steps: '1.steps' } });
  const { status } = await fetch(`${base}${path}`, { method: 'PUT', headers, body });
  if (status !== 201) faults.push(`a large template: ${status}`);
  return path;
};
const victim = { base, token, job, output: await outputOf(), template: await templateOf() };

const run = async (name: string): Promise<void> => {
  const call = hostileCalls[name]!;
  while (!isOver) {
    tries[name] = (tries[name] ?? 0) + 1;
    // One that is held has begun, and the others are answered.
    if (call.holdMs !== undefined) tried.add(name);
    const status = await callOnce(call, victim);
    tried.add(name);
    const how = `${name}: ${status ?? 'no answer'}`;
    // 503 says that the gateway takes no more for now; any other of them is a fault.
    if (status !== undefined && status >= 500 && status !== 503) faults.push(how);
    // One that is refused at once would do nothing but that.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
for (const [name, { atOnce }] of Object.entries(hostileCalls))
  for (let nth = 0; nth < Math.max(1, Math.round(atOnce * Number(strength))); nth += 1) void run(name);
const isTried = (): boolean => Object.keys(hostileCalls).every((name) => tried.has(name));
const looks = setInterval(() => {
  if (!isTried()) return;
  clearInterval(looks);
  process.send?.('every kind was tried');
}, 20);
process.on('message', (question) => {
  if (question === 'stop') isOver = true;
  process.send?.({ tries, faults } satisfies HostileTally);
});
process.on('disconnect', () => process.exit());
