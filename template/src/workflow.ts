import { exampleWorkflows } from 'promptwire/examples';

/** Makes a picture of a prompt; in place of it comes what an editor exports, or the path of its file. */
export const workflow = exampleWorkflows['text-to-image'].workflow;
