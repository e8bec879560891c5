import { Embeddings } from '@langchain/core/embeddings';
import type { Project } from '../../calls/project.ts';

/** The embedder of a project, for other parts of a program: the same vectors, made by the same model. */
export class QuarryEmbeddings extends Embeddings {
  readonly #project: Pick<Project, 'embedder'>;

  constructor({ project }: { readonly project: Pick<Project, 'embedder'> }) {
    super({});
    this.#project = project;
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    const embedder = await this.#project.embedder();
    const vectors: number[][] = [];
    const { batchTexts } = embedder.limits;
    for (let start = 0; start < texts.length; start += batchTexts) {
      const batch = await embedder.embed(texts.slice(start, start + batchTexts), { as: 'chunk' });
      vectors.push(...batch.map((vector) => [...vector]));
    }
    return vectors;
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector] = await (await this.#project.embedder()).embed([text], { as: 'query' });
    return [...(vector ?? [])];
  }
}
