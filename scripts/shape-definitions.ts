import { eventCodecs } from '../src/protocol/events.js';
import { jobStatusCodec, nodeInfoCodec, workflowCodec } from '../src/endpoints/codecs.js';

/** The codecs whose shape src needs, by the shape's name. */
export const shapeDefinitions = {
  eventShapes: eventCodecs,
  jobStatusShape: jobStatusCodec,
  nodeInfoShape: nodeInfoCodec,
  workflowShape: workflowCodec,
};
