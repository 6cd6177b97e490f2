import type { CliEvent } from './cli-event.js';
import { escapeRisky } from '../escape-risky.js';
import type { Line, StyledText } from '../terminal/line.js';
import { writeExactJson } from '../../workflow.js';

/** The line of one difference of two workflows. */
export const changeLine = (
  { node, change }: Extract<CliEvent, { kind: 'change' }>,
  longest: number,
): Line => {
  const shown = (value: unknown): StyledText => shortened(value, longest);
  const moved = (what: string, from: unknown, to: unknown): Line => [
    `  ${node}: ${what} `,
    shown(from),
    ' → ',
    shown(to),
  ];
  switch (change._tag) {
    case 'NodeRemoved':
      return [{ text: `- ${node}`, style: 'red' }];
    case 'NodeAdded':
      return [{ text: `+ ${node}`, style: 'green' }];
    case 'IdChanged':
      return [`  ${node}: was node ${change.from}`];
    case 'ClassChanged':
      return moved('class', change.from, change.to);
    case 'TitleChanged':
      return moved('title', change.from, change.to);
    case 'InputChanged':
      return moved(change.input, change.from, change.to);
  }
};

/** A value as JSON, without characters that act on a terminal, in at most so many columns. */
export const shortened = (value: unknown, longest: number): StyledText => ({
  text: value === undefined ? '(none)' : escapeRisky(writeExactJson(value)),
  columns: longest,
});
