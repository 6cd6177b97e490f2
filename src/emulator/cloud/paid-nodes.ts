import { type Answer, promptRefusal } from '../http/answer.js';
import type { Graph } from '../scheduler/graph.js';
import type { NodeClass } from '../engine/node-class.js';
import type { Switches } from '../switches.js';

/** Why a workflow with paid nodes is refused, before anything else is checked; undefined if it is not. */
export const refusalOfPaidNodes = (
  graph: Graph,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  { partnerNodes }: Pick<Switches, 'partnerNodes'>,
): Answer | undefined => {
  const classes = [...graph.values()].map(({ classType }) => classType);
  const paid = [...new Set(classes.filter((name) => nodeClasses.get(name)?.partner === true))];
  if (paid.length === 0) return undefined;
  switch (partnerNodes) {
    case 'unstated':
    case 'open':
      return undefined;
    case 'refused':
      return promptRefusal(402, {
        type: 'PARTNER_NODE_PAYMENT_REQUIRED',
        message: 'The plan does not run partner nodes.',
      });
    case 'refused by policy':
      return promptRefusal(403, {
        type: 'PARTNER_NODE_DISABLED',
        message: 'The workspace does not allow these partner nodes.',
        ...{ class_types: paid, providers: ['partner'] },
      });
  }
};
