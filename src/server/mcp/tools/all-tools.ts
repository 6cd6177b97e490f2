import { jobTools } from './job-tools.js';
import { nodeTools } from './node-tools.js';
import { templateTools } from './template-tools.js';
import type { Tool, ToolContext } from './tool.js';
import { workflowTools } from './workflow-tools.js';

/** Every tool, in the order in which hosts list them. */
export const allTools = (context: ToolContext): readonly Tool[] => [
  ...templateTools(context),
  ...workflowTools(context),
  ...jobTools(context),
  ...nodeTools(context),
];
