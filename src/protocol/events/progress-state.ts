import * as t from 'io-ts';
import { nullable } from './nullable.js';

/**
 * All nodes of a job that have begun, each time the whole map by node id. Which members a node has differs between
 * servers, so each is optional; `state` is an open set (docs/protocol.md, chapter 6).
 */
export const progressState = t.type({
  prompt_id: t.string,
  nodes: t.record(
    t.string,
    t.partial({
      value: nullable(t.number),
      max: nullable(t.number),
      state: t.string,
      node_id: nullable(t.string),
      prompt_id: nullable(t.string),
      display_node_id: nullable(t.string),
      parent_node_id: nullable(t.string),
      real_node_id: nullable(t.string),
      class_type: nullable(t.string),
    }),
  ),
});
