import { notesChangeSchema } from '../../../user/reader-notes.ts';
import { droppedFolderSchema, listedFolderSchema, originalSchema } from '../routes/reader-routes.ts';
import { answer, failed, json, jsonSchema, pathParameter, posted, route } from './parts.ts';

/** What the page keeps for the owner, and the folders to choose from. */
export function readerPaths(): Record<string, object> {
  const project = pathParameter('project');
  const folders = { type: 'object', properties: { folders: { type: 'array', items: {} } } };
  return {
    '/v1/projects/{project}/reader': {
      get: route(
        'reader_notes',
        'Searches, opened hits and judged questions that the page keeps for the owner of the server.',
        [project],
        { 200: { description: 'What is kept.', content: json({ type: 'object' }) }, ...failed },
      ),
      post: {
        ...route(
          'keep_reader_note',
          'Keep or forget one of them; only for the owner of the server.',
          [project],
          { 204: { description: 'It is done.' }, ...failed },
        ),
        requestBody: { content: json(jsonSchema(notesChangeSchema, 'input')) },
      },
    },
    '/v1/projects/{project}/reader/eval': {
      post: route(
        'evaluate_own_questions',
        'Ask the questions that the owner of the server has judged, in the background.',
        [project],
        { 202: answer('The job.', 'Job'), ...failed },
      ),
    },
    '/v1/projects/{project}/reader/original': {
      post: posted(
        'original',
        'A PDF or a picture as it was indexed, secrets included; only for the owner of the server.',
        [project],
        {
          input: jsonSchema(originalSchema, 'input'),
          output: {
            type: 'object',
            properties: {
              media_type: { type: 'string' },
              base64: { type: 'string', description: 'Its bytes.' },
              words: {
                type: 'array',
                description:
                  'Words that were recognised in it, each with its page and its place in thousandths: left, top, width, height.',
                items: { type: 'array' },
              },
            },
          },
        },
      ),
    },
    '/v1/engine/folders': {
      post: posted('list_folders', 'List the folders in a folder; only for the owner of the server.', [], {
        input: jsonSchema(listedFolderSchema, 'input'),
        output: folders,
      }),
    },
    '/v1/engine/folders/find': {
      post: posted(
        'find_folder',
        'Look below the home for a folder by its name and what is in it; only for the owner of the server.',
        [],
        { input: jsonSchema(droppedFolderSchema, 'input'), output: folders },
      ),
    },
  };
}
