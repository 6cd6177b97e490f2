// What reads, checks and changes workflows: a page loads this file after its first view, and of the entry what stands here.
export { applyFixes, describeInputs, validateWorkflow } from '../../../workflow.js';
