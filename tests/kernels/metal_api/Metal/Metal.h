// A stand-in for Metal's headers: the declarations that metal.mm uses, to type-check it where there is no
// Apple SDK.
#pragma once
#import <Foundation/Foundation.h>

typedef struct {
  NSUInteger width, height, depth;
} MTLSize;
static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
  return {width, height, depth};
}
typedef NSUInteger MTLResourceOptions;
typedef enum : NSUInteger { MTLStorageModeShared = 0, MTLStorageModePrivate = 2 } MTLStorageMode;
enum : MTLResourceOptions {
  MTLResourceStorageModeShared = MTLStorageModeShared << 4,
  MTLResourceStorageModePrivate = MTLStorageModePrivate << 4
};
typedef NSUInteger MTLPipelineOption;
enum : MTLPipelineOption { MTLPipelineOptionNone = 0, MTLPipelineOptionFailOnBinaryArchiveMiss = 1 << 2 };
typedef enum : NSUInteger {
  MTLCommandBufferStatusCompleted = 4,
  MTLCommandBufferStatusError = 5
} MTLCommandBufferStatus;

@interface MTLCompileOptions : NSObject
@end
@protocol MTLResource <NSObject>
@property(readonly) MTLStorageMode storageMode;
@end
@protocol MTLBuffer <MTLResource>
- (void*)contents;
@end
@protocol MTLFunction <NSObject>
@end
@protocol MTLLibrary <NSObject>
- (id<MTLFunction>)newFunctionWithName:(NSString*)name;
@end
@protocol MTLComputePipelineState <NSObject>
- (NSUInteger)maxTotalThreadsPerThreadgroup;
@end
@interface MTLComputePipelineReflection : NSObject
@end
typedef MTLComputePipelineReflection* __autoreleasing MTLAutoreleasedComputePipelineReflection;
@interface MTLBinaryArchiveDescriptor : NSObject
@property(readwrite, nonatomic, copy) NSURL* url;
@end
@class MTLComputePipelineDescriptor;
@protocol MTLBinaryArchive <NSObject>
- (BOOL)addComputePipelineFunctionsWithDescriptor:(MTLComputePipelineDescriptor*)descriptor
                                            error:(NSError**)error;
- (BOOL)serializeToURL:(NSURL*)url error:(NSError**)error;
@end
@interface MTLComputePipelineDescriptor : NSObject
@property(readwrite, nonatomic, strong) id<MTLFunction> computeFunction;
@property(readwrite, nonatomic, copy) NSArray<id<MTLBinaryArchive>>* binaryArchives;
@end
@protocol MTLCommandEncoder <NSObject>
- (void)endEncoding;
@end
@protocol MTLBlitCommandEncoder <MTLCommandEncoder>
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(unsigned char)value;
@end
@protocol MTLComputeCommandEncoder <MTLCommandEncoder>
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBytes:(const void*)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)size;
@end
@protocol MTLCommandBuffer <NSObject>
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (id<MTLBlitCommandEncoder>)blitCommandEncoder;
- (void)commit;
- (void)waitUntilCompleted;
- (MTLCommandBufferStatus)status;
- (NSError*)error;
- (double)GPUStartTime;
- (double)GPUEndTime;
@end
@protocol MTLCommandQueue <NSObject>
- (id<MTLCommandBuffer>)commandBuffer;
@end
@protocol MTLDevice <NSObject>
- (NSString*)name;
- (unsigned long long)recommendedMaxWorkingSetSize;
- (NSUInteger)maxBufferLength;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void*)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void* bytes, NSUInteger length))deallocator;
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)text
                               options:(MTLCompileOptions*)options
                                 error:(NSError**)error;
- (id<MTLBinaryArchive>)newBinaryArchiveWithDescriptor:(MTLBinaryArchiveDescriptor*)descriptor
                                                 error:(NSError**)error;
- (id<MTLComputePipelineState>)
    newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor*)descriptor
                                  options:(MTLPipelineOption)options
                               reflection:(MTLAutoreleasedComputePipelineReflection*)reflection
                                    error:(NSError**)error;
@end
extern "C" NSArray<id<MTLDevice>>* MTLCopyAllDevices(void);
extern "C" id<MTLDevice> MTLCreateSystemDefaultDevice(void);
