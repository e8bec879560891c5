import { slackNames, slackNamesFile } from '../drivers/extractors/chats/slack.ts';

/** The people of an export of Slack are named in one file for all its channels. */
export const namesBeside = { fileOf: slackNamesFile, textOf: slackNames };
