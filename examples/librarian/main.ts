// A brief, what it has to respect, and a design document: node examples/librarian/main.ts
import assert from 'node:assert/strict';
import { say, withSampleProject } from '../sample-project.ts';
import { configuredWriter, designWorkflow } from './workflow.ts';

await withSampleProject(async (project) => {
  // A model server on this machine is found by itself; without one the proposal is left to a person.
  const writer = await configuredWriter(project);
  const { document } = await designWorkflow(project, writer).invoke({
    brief_path: 'brief.md',
    manual_context: ['docs/standards/accessibility.md'],
  });
  say(`\n${document}`);
  assert.match(document, /## Constraints\n\n- docs\/standards\/accessibility\.md \(named by you\)\n/);
  assert.match(document, /- docs\/adrs\/0002-authentication-flow\.md/);
});
