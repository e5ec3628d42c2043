/** The machine's floor for HTTP: parses the JSON and answers 202. */
import { readJson, serve } from '../child.js';
import { acknowledge } from './acknowledge.js';

serve((request, response) => readJson(request, () => acknowledge(response, 1)));
