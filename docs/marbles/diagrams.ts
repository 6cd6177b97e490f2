/** One marble diagram: time runs to the right, one column a word; `|` ends a line, `#` is an error, `x|` both at once. */
export interface Diagram {
  /** File name without extension. */
  readonly name: string;
  readonly operator: string;
  readonly source: string;
  readonly result: string;
}

/** The pictures of README and guide. Labels that begin alike have one colour. */
export const diagrams: readonly Diagram[] = [
  {
    name: 'for-prompt',
    operator: "forPrompt('a')",
    source: '- a1 - b1 - a2 - b2 - b3 a3 - |',
    result: '- a1 - - - a2 - - - - a3 - |',
  },
  {
    name: 'until-terminal',
    operator: 'untilTerminal()',
    source: '- a - b - c - end - d - |',
    result: '- a - b - c - end|',
  },
  {
    name: 'job-states',
    operator: 'jobStates()',
    source: '- a - b - b - c - end - |',
    result: '- A - B - - - C - End|',
  },
  {
    name: 'collect-outputs',
    operator: 'collectOutputs()',
    source: '- o1 - t - p - o2 - |',
    result: '- - - - - - - - - out|',
  },
  {
    name: 'previews',
    operator: 'previews()',
    source: '- e - p1 - t - p2 - e - |',
    result: '- - - p1 - - - p2 - - - |',
  },
  {
    name: 'progress-text',
    operator: 'progressText()',
    source: '- e - t1 - p - t2 - e - |',
    result: '- - - t1 - - - t2 - - - |',
  },
  {
    name: 'progress',
    operator: 'progress()',
    source: '- s - s - s - s - S|',
    result: '- 0% - 12% - - - 63% - 100%|',
  },
  {
    name: 'latest',
    operator: 'latest({ periodMs })',
    source: '- p1 p2 p3 - - p4 p5 end - |',
    result: '- p1 - - p3 - - - p5 end - |',
  },
  {
    name: 'tap-trace',
    operator: "tapTrace('job')",
    source: '- a - b - c - |',
    result: '- a - b - c - |',
  },
];
