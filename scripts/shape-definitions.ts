import { eventCodecs } from '../src/protocol/events.js';
import { jobStatusCodec, nodeInfoCodec, workflowCodec } from '../src/endpoints/codecs.js';

/** The codecs of which src needs the shape, by the shape's name. */
export const shapeDefinitions = {
  eventShapes: eventCodecs,
  jobStatusShape: jobStatusCodec,
  nodeInfoShape: nodeInfoCodec,
  workflowShape: workflowCodec,
};
