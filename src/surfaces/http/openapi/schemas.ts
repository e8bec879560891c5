import { errorCatalogue } from '../../../core/error-catalogue.ts';
import { filePlaces } from '../../../user/project-entry.ts';

/** Why something failed. */
export function errorSchema(): object {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'remedy'],
        properties: {
          code: { enum: Object.keys(errorCatalogue) },
          message: { type: 'string' },
          remedy: { type: 'string', description: 'What to do about it.' },
        },
      },
    },
  };
}

/** Work in the background. */
export function jobSchema(): object {
  return {
    type: 'object',
    required: ['id', 'project', 'operation', 'state', 'started_at'],
    properties: {
      id: { type: 'string' },
      project: { type: 'string' },
      operation: { type: 'string' },
      state: { enum: ['running', 'done', 'failed', 'cancelled'] },
      started_at: { type: 'string', format: 'date-time' },
      ended_at: { type: 'string', format: 'date-time' },
      progress: { type: 'object' },
      result: {},
      error: { type: 'object' },
    },
  };
}

/** A project that the server knows. */
export function projectSchema(): object {
  return {
    type: 'object',
    required: ['id', 'files', 'registered', 'open'],
    properties: {
      id: { type: 'string' },
      files: { enum: filePlaces },
      registered: { type: 'boolean' },
      open: { type: 'boolean' },
      syncing: { type: 'boolean' },
      users: { type: 'integer' },
      folder: { type: 'string', description: 'Only for the owner of the server.' },
      index: {
        type: 'object',
        description: 'Of one project that is not open: its index on disk, which is not opened for that.',
        required: ['bytes', 'written_at'],
        properties: {
          bytes: { type: 'integer' },
          written_at: { type: 'string', format: 'date-time' },
        },
      },
    },
  };
}
