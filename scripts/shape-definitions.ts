import type * as t from 'io-ts';
import { eventCodecs } from '../src/core/protocol/event-codecs.js';
import { jobStatusCodec, nodeInfoCodec, workflowCodec } from '../src/core/endpoints/codecs.js';

/** The codecs whose shape src needs, by the shape's name. */
export const shapeDefinitions = {
  eventShapes: new Map<string, t.Mixed>(Object.entries(eventCodecs)),
  jobStatusShape: jobStatusCodec,
  nodeInfoShape: nodeInfoCodec,
  workflowShape: workflowCodec,
};
