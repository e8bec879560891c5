/** What is installed under a name: files with their SHA-256. */
export interface FilesCard {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What reads the text of pictures: three models and the characters that the last of them knows. */
export interface RecogniserCard extends FilesCard {
  readonly files: {
    readonly 'detection.onnx': string;
    readonly 'direction.onnx': string;
    readonly 'recognition.onnx': string;
    readonly 'characters.txt': string;
  };
}

/** What is known of a model before it is loaded. */
export interface ModelCard extends FilesCard {
  readonly dimensions: number;
  /** Tokens the model sees at once, special tokens included. */
  readonly windowTokens: number;
  /** How token vectors become one: their mean, or the vector of the first token. */
  readonly pooling: 'mean' | 'first';
  /** The model that makes the vectors of questions, where this one has learned to make those of chunks for it. */
  readonly queryModel?: string;
  /** Put before a question, as the model was trained. */
  readonly queryPrefix: string;
  /** Put before a chunk, as the model was trained. */
  readonly passagePrefix: string;
  /** Kind of the weights, for a person. */
  readonly precision: 'int8' | 'fp32' | 'fp16' | 'q4' | 'unknown';
  /** SHA-256 of each file: the published one, or for a folder of the user's own what was found when it was opened. */
  readonly files: { readonly 'model.onnx': string; readonly 'tokenizer.json': string };
}

/** A file that every model has. */
export type ModelFile = keyof ModelCard['files'];

/** The files that every model has. */
export const modelFiles: readonly ModelFile[] = ['model.onnx', 'tokenizer.json'];

/** Files on this machine under the name of their card. */
export interface Installed<Card extends FilesCard = FilesCard> {
  readonly card: Card;
  /** The folder that holds them; absolute. */
  readonly folder: string;
  /** What to do about a file that is gone or not what it was; without it, to install the package again. */
  readonly remedy?: string;
}

/** A model on this machine: what it is and where its files are. */
export interface InstalledModel extends Installed<ModelCard> {
  /** Path of the weights below the folder, where it is not `model.onnx`. */
  readonly weights?: string;
  /** Path of the tokenizer from the folder, where it is that of another model. */
  readonly tokenizer?: string;
}
