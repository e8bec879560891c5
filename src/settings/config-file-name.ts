/** The name of the settings file, in a project and in the user's config folder. */
export const configFileName = 'quarry.toml';
