import { linkOf, ordered } from './ordered.js';
import { callCode, member, type MemberCodes, onOneLine } from './call.js';
import { literal, singleQuoted } from './literal.js';
import { type NodeDefinitions, readDefinition, type Workflow, type WorkflowNode } from '../../workflow.js';
import { isIdentifier } from '../types/text.js';
import { outputName } from '../types/output-name.js';
import { variableNames } from './variable-names.js';

/** How a program is written. */
export interface ProgramOptions {
  /** The module with the declarations of `promptwire types`; without it every class is an unknown one. */
  readonly types?: string | undefined;
  /** They give the names of outputs, and which classes and inputs the declarations have. */
  readonly definitions?: NodeDefinitions | undefined;
}

/** A program that builds a workflow. */
export interface Program {
  readonly text: string;
  /** Links that close a cycle: node id and input. */
  readonly cycles: readonly (readonly [nodeId: string, input: string])[];
}

/**
 * Writes the program that builds a workflow with `graph`: running it gives the same nodes, inputs and titles.
 *
 * What no output of an earlier node can stand for, such as a link of a cycle or to a missing node, is put in as it stands, by `raw`.
 */
export const programOf = (workflow: Workflow, options: ProgramOptions = {}): Program => {
  const nameOf = variableNames();
  const used = new Set(
    Object.values(workflow).flatMap(({ inputs }) =>
      Object.values(inputs).flatMap((value) => linkOf(workflow, value)?.nodeId ?? []),
    ),
  );
  const made = new Map<string, string>();
  const ids = newIds();
  const statements: string[] = [];
  const cycles: (readonly [string, string])[] = [];
  for (const id of ordered(workflow)) {
    const node = workflow[id];
    if (node === undefined) continue;
    const value = (given: unknown, input: string): string => {
      const link = linkOf(workflow, given);
      const source = link && made.get(link.nodeId);
      if (link !== undefined && source === undefined) cycles.push([id, input]);
      const output =
        link && source && outputCode(source, link.slot, workflow[link.nodeId]?.class_type ?? '', options);
      return output ?? valueCode(given);
    };
    const name = used.has(id) ? nameOf(node) : undefined;
    const start = name === undefined ? '' : `const ${name} = `;
    statements.push(nodeCode(node, { start, id: ids.isNext(id) ? undefined : id, value }, options));
    ids.take(id);
    // Only now, as a node can link to itself.
    if (name !== undefined) made.set(id, name);
  }
  return {
    text: [...head(options), '', ...statements, '', 'export const workflow = g.workflow();', ''].join('\n'),
    cycles,
  };
};

const head = ({ types }: ProgramOptions): readonly string[] => [
  "import { graph } from 'promptwire/workflow';",
  ...(types === undefined ? [] : [`import type { Nodes } from ${singleQuoted(types)};`]),
  '',
  `const g = graph${types === undefined ? '' : '<Nodes>'}();`,
];

/** The ids that a graph gives by itself. */
const newIds = () => {
  const taken = new Set<string>();
  let last = 0;
  const next = (): number => {
    let free = last + 1;
    while (taken.has(String(free))) free += 1;
    return free;
  };
  return {
    isNext: (id: string): boolean => id === String(next()),
    take: (id: string): void => {
      if (id === String(next())) last = Number(id);
      taken.add(id);
    },
  };
};

const valueCode = (given: unknown): string => {
  if (Array.isArray(given)) return `g.raw(${literal(given)})`;
  return isWrappedList(given) ? literal(given.__value__) : literal(given);
};

const isWrappedList = (value: unknown): value is { readonly __value__: readonly unknown[] } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === '__value__' &&
  Array.isArray((value as { readonly __value__?: unknown }).__value__);

/** Undefined for an output that the declarations of the class lack. */
const outputCode = (
  source: string,
  slot: number,
  className: string,
  options: ProgramOptions,
): string | undefined => {
  if (!isDeclared(className, options)) return `${source}.output(${slot})`;
  const { definitions } = options;
  const known = readDefinition(definitions, className);
  if (definitions === undefined || known === undefined) return `${source}[${slot}]`;
  return slot < known.outputs.length ? `${source}.${outputName(definitions[className], slot)}` : undefined;
};

interface CallParts {
  /** What stands before the call. */
  readonly start: string;
  readonly id: string | undefined;
  readonly value: (given: unknown, input: string) => string;
}

const nodeCode = (node: WorkflowNode, { start, id, value }: CallParts, options: ProgramOptions): string => {
  const { class_type: className, inputs, _meta: meta } = node;
  const isTyped = isDeclared(className, options);
  const codes = Object.entries(inputs).map(([name, given]) => [name, value(given, name)] as const);
  const isKnown = isTyped ? declaredInputs(className, options) : () => true;
  const extra = codes.filter(([name]) => !isKnown(name));
  const more: MemberCodes = [
    ...(id === undefined ? [] : [member('id', id)]),
    ...(typeof meta?.title === 'string' ? [member('title', meta.title)] : []),
    ...(extra.length === 0 ? [] : [['extra', onOneLine(extra)] as const]),
  ];
  const args = [codes.filter(([name]) => isKnown(name)), ...(more.length === 0 ? [] : [more])];
  if (!isTyped) return callCode(`${start}g.unknown`, [singleQuoted(className), ...args]);
  if (!isIdentifier(className) || ofEveryGraph.has(className))
    return callCode(`${start}g.node`, [singleQuoted(className), ...args]);
  return callCode(`${start}g.${className}`, args);
};

const isDeclared = (className: string, { types, definitions }: ProgramOptions): boolean =>
  types !== undefined && (definitions === undefined || readDefinition(definitions, className) !== undefined);

/** Whether the declarations of a class have an input; those of a dynamic one have what begins with its name. */
const declaredInputs = (className: string, { definitions }: ProgramOptions): ((name: string) => boolean) => {
  const known = readDefinition(definitions, className);
  if (known === undefined || known.takesAnything) return () => true;
  const dynamic = known.inputs
    .filter(({ type }) => /^COMFY_\w+_V3$/u.test(type))
    .map(({ name }) => `${name}.`);
  return (name) => known.inputOf(name) !== undefined || dynamic.some((start) => name.startsWith(start));
};

/** The members that every graph has: a class of such a name is no method of it. */
const ofEveryGraph: ReadonlySet<string> = new Set([
  ...['node', 'unknown', 'raw', 'workflow', 'then', 'toJSON'],
  ...Object.getOwnPropertyNames(Object.prototype),
]);
