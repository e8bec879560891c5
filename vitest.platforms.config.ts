import { defineConfig } from 'vitest/config';
import base, { platformTests } from './vitest.config.ts';

const { projects: _, ...shared } = base.test ?? {};

/** `npm run test:platforms`: what needs the packages of other platforms, or an emulator to run them. */
export default defineConfig({ test: { ...shared, include: platformTests } });
