import type { Workflow } from '../../node.js';
import type { Titles } from '../report/cli-event.js';

/** What to call each node of a workflow: its title, else its class; nothing is known without a workflow. */
export const nodeTitles = (workflow: Workflow = {}): Titles =>
  new Map(Object.entries(workflow).map(([nodeId, node]) => [nodeId, node._meta?.title ?? node.class_type]));
