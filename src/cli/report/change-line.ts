import type { CliEvent } from './cli-event.js';
import { escapeRisky } from '../escape-risky.js';
import type { Line } from '../terminal/line.js';
import { writeExactJson } from '../../workflow.js';

/** The line of one difference of two workflows. */
export const changeLine = (
  { node, change }: Extract<CliEvent, { kind: 'change' }>,
  longest: number,
): Line => {
  const shown = (value: unknown): string => shortened(value, longest);
  switch (change._tag) {
    case 'NodeRemoved':
      return [{ text: `- ${node}`, style: 'red' }];
    case 'NodeAdded':
      return [{ text: `+ ${node}`, style: 'green' }];
    case 'IdChanged':
      return [`  ${node}: was node ${change.from}`];
    case 'ClassChanged':
      return [`  ${node}: class ${shown(change.from)} → ${shown(change.to)}`];
    case 'TitleChanged':
      return [`  ${node}: title ${shown(change.from)} → ${shown(change.to)}`];
    case 'InputChanged':
      return [`  ${node}: ${change.input} ${shown(change.from)} → ${shown(change.to)}`];
  }
};

/** A value as JSON, without characters that act on a terminal. */
export const shortened = (value: unknown, longest: number): string => {
  if (value === undefined) return '(none)';
  const text = escapeRisky(writeExactJson(value));
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
};
