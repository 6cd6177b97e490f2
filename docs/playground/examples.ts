/** A pipeline that a playground begins with. */
export interface Example {
  /** What a page names it by. */
  readonly name: string;
  /** What a reader sees. */
  readonly title: string;
  readonly code: string;
}

/** The pipelines of the playgrounds: each is an expression that makes an Observable. */
export const examples: readonly Example[] = [
  {
    name: 'states',
    title: 'The states of a job',
    code: `client.run(workflow).pipe(
  map(({ phase }) => phase),
  distinctUntilChanged(),
)`,
  },
  {
    name: 'previews',
    title: 'Fewer pictures',
    code: `client.frames.pipe(
  latest({ periodMs: 250, scheduler }),
  previews(),
  takeUntil(client.run(workflow).pipe(last())),
)`,
  },
  {
    name: 'progress',
    title: 'A bar',
    code: `client.run(workflow).pipe(
  progress({ periodMs: 200, scheduler }),
  map(({ value }) => Math.round(value * 100)),
  distinctUntilChanged(),
)`,
  },
  {
    name: 'outputs',
    title: 'The files at the end',
    code: `client.run(workflow).pipe(
  last(),
  mergeMap(({ outputs }) => outputFiles(outputs)),
  map(({ filename }) => filename),
)`,
  },
  {
    name: 'one-job',
    title: 'One job of two',
    code: `defer(() => client.submit(workflow)()).pipe(
  map(({ right }) => right),
  mergeWith(client.run(workflow).pipe(ignoreElements())),
  mergeMap((job) => client.frames.pipe(forPrompt(job.promptId), untilTerminal())),
)`,
  },
];
