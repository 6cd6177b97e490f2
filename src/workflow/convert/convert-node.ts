import { counted } from '../../core/protocol/counted.js';
import { setComboIndex } from './combo-widgets.js';
import { reportOn, type Scope } from './context.js';
import { asLiteral } from './widget-value.js';
import { error, type Finding, warning } from '../validate/finding.js';
import { expandPrompt } from './dynamic-prompt.js';
import { findWidgetValue } from './find-widget-value.js';
import { isControl } from './guess-widgets.js';
import { isSubgraphId } from './node-kind.js';
import { likelyText } from '../validate/pack-of.js';
import { namedPacks } from './named-packs.js';
import { replacesIn, replaceText } from './replace-text.js';
import { resolveLink } from './resolve-link.js';
import type { UiNode } from './ui-graph.js';
import { widgetValuesOf, type WidgetValue } from './node-widgets.js';
import type { WorkflowNode } from '../../core/protocol/workflow.js';

/** Converts a node: the values of its widgets by name, then its links, which replace them. */
export const convertNode = (scope: Scope, node: UiNode): WorkflowNode => {
  const inputs = new Map<string, unknown>();
  const { values, others } = widgetValuesOf(scope, node);
  for (const one of values) {
    inputs.set(one.name, asLiteral(textOf(scope, node, one), one.widget?.type));
    if (!isControl(one.control ?? 'fixed')) {
      const message =
        'has no control word (fixed, randomize, …) after its value: later values may belong to other inputs.';
      reportOn(scope, node, warning('missing_control', message), one.name);
    }
  }
  // The editor sends the values of an unknown class under names of its own.
  if (!node.plan && scope.context.definitions)
    others.forEach((value, index) =>
      inputs.set(index === 0 ? 'UNKNOWN' : `UNKNOWN_${index}`, asLiteral(value)),
    );
  const finding = guessed(scope, node, values.length, others.length);
  if (finding) reportOn(scope, node, finding);
  for (const socket of node.sockets) {
    const { name } = socket;
    if (name === undefined) continue;
    const resolved = resolveLink(scope, node, socket);
    if (resolved) inputs.set(name, 'ref' in resolved ? [...resolved.ref] : asLiteral(resolved.value));
  }
  setComboIndex(node, inputs);
  return { class_type: node.type, inputs: Object.fromEntries(inputs), _meta: { title: node.title } };
};

/** The value with dynamic prompts and `%…%` worked out. A promoted value stays as it is. */
const textOf = (scope: Scope, node: UiNode, { name, value, widget, override }: WidgetValue): unknown => {
  const { context } = scope;
  if (typeof value !== 'string' || override?.isRaw) return value;
  const replaced =
    override?.isReplaced || (name === 'filename_prefix' && replacesIn(node.type))
      ? replaceText(value, (...wanted) => findWidgetValue(scope, ...wanted), context.now)
      : value;
  return context.expandsPrompts && widget?.input.options['dynamicPrompts'] === true
    ? expandPrompt(replaced, context.random)
    : replaced;
};

/** What is to say of a node without a definition, and of values without a name. */
const guessed = (
  { context }: Scope,
  { plan, type, raw }: UiNode,
  named: number,
  unnamed: number,
): Finding | undefined => {
  if (plan)
    return unnamed > 0
      ? warning(
          'unused_values',
          `has ${counted(unnamed, 'value')} more than its class has widgets: not sent.`,
        )
      : undefined;
  if (isSubgraphId(type)) return error('missing_subgraph', 'is a subgraph that the file does not define.');
  if (context.definitions) return missingClass(context, type, raw);
  if (unnamed > 0)
    return error(
      'unnamed_values',
      `has ${counted(unnamed, 'value')} that only the definition of its class can name.`,
    );
  return named > 0
    ? warning(
        'guessed_names',
        `has no definition: its sockets in the file name its ${counted(named, 'value')}.`,
      )
    : undefined;
};

/** The file knows the pack of its nodes better than the names of their classes do. */
const missingClass = ({ packOf }: Scope['context'], type: string, raw: UiNode['raw']): Finding => {
  const named = namedPacks(raw);
  const likely = named.length === 0 ? packOf(type) : undefined;
  const pack = named[0] ?? likely?.name;
  const text = named.length === 0 ? likelyText(likely) : `; by the file, its pack is ${named.join(', ')}`;
  const told = `is of a class that the service does not have, and will refuse${text}.`;
  return { ...warning('missing_node_type', told), ...(pack !== undefined && { pack }) };
};
