import { jobStatusCodec } from '../src/protocol/answers/job-status-codec.js';
import { nodeInfoCodec } from '../src/protocol/answers/node-info-codec.js';
import { eventCodecs } from '../src/protocol/events/event-codecs.js';
import { workflowCodec } from '../src/protocol/workflow/workflow-codec.js';

/** The codecs of which src needs the shape, by the shape's name. */
export const shapeDefinitions = {
  eventShapes: eventCodecs,
  jobStatusShape: jobStatusCodec,
  nodeInfoShape: nodeInfoCodec,
  workflowShape: workflowCodec,
};
