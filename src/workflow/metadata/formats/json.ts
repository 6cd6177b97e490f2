import type { ByteReader } from '../byte-reader.js';
import { decodeJson } from '../text.js';
import type { Findings } from '../findings.js';
import { findGraphs } from '../../find-graphs.js';
import { membersOf, type WrittenMember } from '../../../core/protocol/json/members-of.js';
import { StopReading } from '../stop-reading.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** Reads a JSON file: a graph in either format, or what holds one or both, as `readGraph` finds them. */
export const readJsonFile = async (reader: ByteReader, findings: Findings): Promise<void> => {
  const { text, isGuess } = decodeJson((await reader.payload(0, reader.size)).raw);
  if (isGuess)
    findings.note({ reason: 'not-utf-8', message: 'Its text is not UTF-8: it was read as Latin-1.' });
  const kind = text.trimStart().startsWith('{') ? kindOf(text) : '';
  findings.offer(kind, text);
  if (kind !== '' || findings.isComplete() || findings.problem() !== undefined) return;
  const { api, ui } = findGraphs(findings.parse(text));
  if (api !== undefined) findings.offer('prompt', writeExactJson(api));
  if (ui !== undefined) findings.offer('workflow', writeExactJson(ui));
};

/** A node may have the id `prompt`, so the first node decides; an editor's file has a list of nodes. */
const kindOf = (text: string): 'prompt' | 'workflow' | '' => {
  const members = membersOf(text);
  for (let next = members.next(); ; next = members.next()) {
    if (next.done === true) {
      if (next.value) return '';
      throw new StopReading('not-json', 'The file begins like JSON, but is not JSON.');
    }
    if (isNode(next.value)) return 'prompt';
    if (next.value.name === '"nodes"' && beginsWith(next.value, '[')) return 'workflow';
  }
};

const isNode = (member: WrittenMember): boolean => {
  for (const inner of membersOf(member.value))
    if (inner.name === '"class_type"') return beginsWith(inner, '"');
  return false;
};

const beginsWith = ({ value }: WrittenMember, mark: string): boolean => value.trimStart().startsWith(mark);
